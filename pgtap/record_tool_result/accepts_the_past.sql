\ir ../setup.psql
select plan(1);
set local role recall_app;
select pg_temp.record(created_at => '1999-12-31 23:59:59+00');

select results_eq(
  'select created_at, repairs, left(recall_line, 13) from tool_recall.message_tool_results',
  $$ values ('1999-12-31 23:59:59+00'::timestamptz, null::jsonb, '- 1999-12-31 ') $$,
  'a result may be recorded long after it was returned'
);

select * from finish();
rollback;
