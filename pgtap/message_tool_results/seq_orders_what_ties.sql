\ir ../setup.psql
select plan(1);
set local role recall_app;
select pg_temp.record('first', created_at => '2026-05-12 10:00+00');
select pg_temp.record('second', created_at => '2026-05-12 10:00+00');
select pg_temp.record('third', created_at => '2026-05-12 10:00+00');

select results_eq(
  'select tool_name::text from tool_recall.message_tool_results order by created_at, seq',
  $$ values ('first'), ('second'), ('third') $$,
  'seq puts results of the same microsecond in the order in which they were recorded'
);

select * from finish();
rollback;
