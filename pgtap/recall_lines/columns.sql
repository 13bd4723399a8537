\ir ../setup.psql
select plan(2);
set local role recall_app;
select pg_temp.record(
  'list_orders', '{"status": "open"}', '{"orders": [1, 2]}', created_at => pg_temp.at(3, '10:00')
) as recorded \gset

select results_eq(
  $$ select * from tool_recall.recall_lines(pg_temp.id('ada chat'), pg_temp.id('ada')) $$,
  $$
    select m.id, m.created_at, m.tool_name::text, m.recall_line, m.recall_tokens
    from tool_recall.message_tool_results as m
  $$,
  'id, created_at, tool_name, recall_line and recall_tokens of each row'
);
select is(
  (select l.id from tool_recall.recall_lines(pg_temp.id('ada chat'), pg_temp.id('ada')) as l),
  :'recorded'::uuid, 'id is what record_tool_result returned'
);

select * from finish();
rollback;
