\ir ../setup.psql
select plan(1);
select tool_recall.set_summary_rule('heartbeat', null);
set local role recall_app;
select pg_temp.record('heartbeat', tool_output => '{"status": "ok"}');

select results_eq(
  'select recall_line, recall_tokens from tool_recall.message_tool_results',
  $$ values ('', 0) $$,
  'a tool that never uses a line is stored with an empty one'
);

select * from finish();
rollback;
