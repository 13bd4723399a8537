\ir ../setup.psql
select plan(2);
set local role recall_app;
select pg_temp.record() as recorded \gset

select results_eq(
  $$ select * from tool_recall.recall_tool_results(pg_temp.id('ada chat'), pg_temp.id('ada')) $$,
  $$
    select
      m.id, m.created_at, m.message_id, m.tool_use_id, m.tool_name::text, m.tool_input,
      m.tool_output, m.is_error, m.repairs
    from tool_recall.message_tool_results as m
  $$,
  'id, created_at, message_id, tool_use_id, tool_name, input, output, is_error and repairs'
);
select is(
  (
    select to_jsonb(r) ->> 'id'
    from tool_recall.recall_tool_results(pg_temp.id('ada chat'), pg_temp.id('ada')) as r
  ),
  :'recorded'::text, 'id is what record_tool_result returned'
);

select * from finish();
rollback;
