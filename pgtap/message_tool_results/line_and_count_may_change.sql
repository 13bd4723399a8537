\ir ../setup.psql
select plan(2);
select pg_temp.record();

select lives_ok(
  $$ update tool_recall.message_tool_results set recall_line = '- x', recall_tokens = 4 $$,
  'recall_line and recall_tokens may be rewritten by the owner'
);
select results_eq(
  'select recall_line, recall_tokens from tool_recall.message_tool_results',
  $$ values ('- x', 4) $$,
  'and hold what was written'
);

select * from finish();
rollback;
