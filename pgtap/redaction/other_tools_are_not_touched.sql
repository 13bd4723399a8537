\ir ../setup.psql
select plan(2);
select tool_recall.set_capture_rule('t', redact_paths => array['$.p']);
select pg_temp.record('other', '{"p": 1}', '{"p": 2}') as id \gset

select results_eq(
  format(
    'select m.tool_input, m.tool_output from tool_recall.message_tool_results as m where id = %L',
    :'id'
  ),
  $$ values ('{"p": 1}'::jsonb, '{"p": 2}'::jsonb) $$, 'a rule is for its tool'
);
select is(
  (select m.repairs from tool_recall.message_tool_results as m where m.id = :'id'), null,
  'nothing is counted'
);

select * from finish();
rollback;
