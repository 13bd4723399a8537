\ir ../setup.psql
select plan(1);
set local role recall_app;
select pg_temp.record('older', created_at => now() - interval '49 hours');
select pg_temp.record('newer', created_at => now() - interval '47 hours');

select results_eq(
  $$
    select tool_name
    from tool_recall.recall_tool_results(pg_temp.id('ada chat'), pg_temp.id('ada'), since_days => 2)
  $$,
  $$ values ('newer') $$,
  'since_days leaves out what is older'
);

select * from finish();
rollback;
