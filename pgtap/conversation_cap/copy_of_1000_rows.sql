\ir ../setup.psql
select plan(2);
set local role recall_app;
select pg_temp.record('before');
\ir copy_rows.psql

select results_eq(
  $$
    select (tool_output #>> '{orders,0}')::bigint
    from tool_recall.message_tool_results
    order by created_at, seq
  $$,
  'select n::bigint from generate_series(801, 1000) as n',
  'of 1000 results copied in at once the last 200 stay'
);
select is_empty(
  $$
    select from tool_recall.message_tool_results
    where recall_line !~ '^- \d{4}-\d\d-\d\d copied\(\): 1 ' or recall_tokens < 10
  $$,
  'and have their lines'
);

select * from finish();
rollback;
