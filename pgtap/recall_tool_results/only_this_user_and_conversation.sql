\ir ../setup.psql
select plan(5);
set local role recall_app;
select pg_temp.record('here');
select pg_temp.record(
  'elsewhere', conversation => 'ada second chat', message => 'ada second message'
);

select results_eq(
  $$
    select tool_name from tool_recall.recall_tool_results(pg_temp.id('ada chat'), pg_temp.id('ada'))
  $$,
  $$ values ('here') $$, 'only results of this conversation'
);
select is_empty(
  $$ select tool_recall.recall_tool_results(pg_temp.id('ada chat'), pg_temp.id('bob')) $$,
  'none for another user'
);
select is_empty(
  $$ select tool_recall.recall_tool_results(null, pg_temp.id('ada')) $$,
  'none without a conversation'
);
select is_empty(
  $$ select tool_recall.recall_tool_results(pg_temp.id('ada chat'), null) $$, 'none without a user'
);
select is_empty($$ select tool_recall.recall_tool_results(null, null) $$, 'none without either');

select * from finish();
rollback;
