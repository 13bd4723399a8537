\ir ../setup.psql
select plan(6);
set local role recall_app;
select pg_temp.record() as recorded \gset
set local transaction_read_only = on;

select lives_ok('select pg_temp.block()', 'recall_block runs in a read-only transaction');
select lives_ok('select pg_temp.recalled()', 'and so does recall_lines');
select lives_ok(
  $$ select tool_recall.recall_tool_results(pg_temp.id('ada chat'), pg_temp.id('ada')) $$,
  'and recall_tool_results'
);
select lives_ok(
  format(
    $$ select tool_recall.recall_tool_result(%L, pg_temp.id('ada')) $$, :'recorded'
  ),
  'and recall_tool_result'
);
select lives_ok(
  $$ select tool_recall.summarize_tool_result('a', '{}', '[1]') $$, 'and summarize_tool_result'
);
select lives_ok($$ select tool_recall.count_tokens('a') $$, 'and count_tokens');

select * from finish();
rollback;
