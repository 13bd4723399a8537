\ir ../setup.psql
select plan(2);
set local role recall_app;
select pg_temp.record();

select throws_ok(
  'select tool_recall.forget_user(null)', 'TR001', null, 'null never means everybody'
);
select is(
  (select count(*) from tool_recall.message_tool_results), 1::bigint, 'nothing was deleted'
);

select * from finish();
rollback;
