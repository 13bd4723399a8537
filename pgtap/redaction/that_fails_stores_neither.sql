\ir ../setup.psql
select plan(4);
select tool_recall.set_capture_rule('t', redact_paths => array['$.p']);
-- A search that cannot be made.
update tool_recall.capture_rules set searches = '[{"start": "no number"}]';
select pg_temp.record('t', '{"p": "secret"}', '{"p": "secret"}') as id \gset

select isnt(:'id'::uuid, null, 'the row is stored');
select results_eq(
  format(
    'select tool_input, tool_output, repairs from tool_recall.message_tool_results where id = %L',
    :'id'
  ),
  $$
    values (
      '{"not_stored": true}'::jsonb, '{"not_stored": true}'::jsonb, '{"not_stored": 1}'::jsonb
    )
  $$,
  'without input and output, which could not be searched'
);
select is(pg_temp.block(), '', 'and has no line');
select unalike(
  (select m::text from tool_recall.message_tool_results as m where m.id = :'id'), '%secret%',
  'nothing of it is in the row'
);

select * from finish();
rollback;
