\ir ../setup.psql
select plan(3);
select tool_recall.set_capture_rule('t', redact_paths => array['$.p']);
set local role recall_app;
select pg_temp.record('t', '{}', '{"p": 1, "n": 1}', 'call_1') as first_id \gset

select is(
  pg_temp.record('t', '{}', '{"p": 1, "n": 1}', 'call_1'), :'first_id'::uuid,
  'the same result again gives the first row''s id'
);
select isnt(
  pg_temp.record('t', '{}', '{"p": 1, "n": 2}', 'call_1'), :'first_id'::uuid,
  'another result with the same id is stored'
);
select is((select count(*) from tool_recall.message_tool_results), 2::bigint, 'once');

select * from finish();
rollback;
