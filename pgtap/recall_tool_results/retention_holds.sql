\ir ../setup.psql
select plan(2);
set local role recall_app;
select pg_temp.record('kept', created_at => now() - interval '4320 hours' + interval '1 minute');
select pg_temp.record('expired', created_at => now() - interval '4320 hours' - interval '1 minute');

select results_eq(
  $$
    select tool_name
    from tool_recall.recall_tool_results(pg_temp.id('ada chat'), pg_temp.id('ada'))
  $$,
  $$ values ('kept') $$, 'what is past retention is not recalled'
);
select results_eq(
  $$
    select tool_name
    from tool_recall.recall_tool_results(
      pg_temp.id('ada chat'), pg_temp.id('ada'), since_days => 10000
    )
  $$,
  $$ values ('kept') $$, 'however many days are asked for'
);

select * from finish();
rollback;
