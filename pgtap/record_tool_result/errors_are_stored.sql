\ir ../setup.psql
select plan(1);
set local role recall_app;
select pg_temp.record(tool_output => '{"error": "upstream timeout"}', is_error => true);

select results_eq(
  'select is_error, tool_output from tool_recall.message_tool_results',
  $$ values (true, '{"error": "upstream timeout"}'::jsonb) $$,
  'a failed call is kept as such'
);

select * from finish();
rollback;
