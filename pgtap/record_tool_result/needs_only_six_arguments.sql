\ir ../setup.psql
select plan(2);
set local role recall_app;
select clock_timestamp() as before from pg_sleep(0.01) \gset
select tool_recall.record_tool_result(
  pg_temp.id('ada chat'), pg_temp.id('ada'), pg_temp.id('ada message'),
  'list_orders', '{}', '{"orders": []}'
);

select results_eq(
  'select tool_use_id, is_error, repairs from tool_recall.message_tool_results',
  $$ values (null::text, false, null::jsonb) $$,
  'call id, error and repairs may be left out'
);
select ok(
  (
    select m.created_at between :'before' and clock_timestamp()
    from tool_recall.message_tool_results as m
  ),
  'and created_at, which then is the present, not the start of the transaction'
);

select * from finish();
rollback;
