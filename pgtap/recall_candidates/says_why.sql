\ir ../setup.psql
select plan(1);
select tool_recall.set_summary_rule('hidden', null);
set local role recall_app;
select pg_temp.record('expired', created_at => pg_temp.at(182, '10:00'));
select pg_temp.record('beyond', created_at => pg_temp.at(9, '10:00'));
select pg_temp.record(t.tool_name, created_at => pg_temp.at(8, '10:00') + t.n * interval '1 s')
from (values (1, 'e'), (2, 'd'), (3, 'c'), (4, 'b'), (5, 'a'), (6, 'a')) as t (n, tool_name);
select pg_temp.record('hidden', created_at => pg_temp.at(7, '11:00'));
select pg_temp.record('failed', is_error => true, created_at => pg_temp.at(7, '12:00'));

select results_eq(
  $$
    select tool_name, left_out
    from tool_recall._recall_candidates(
      pg_temp.id('ada chat'), pg_temp.id('ada'), statement_timestamp()
    )
  $$,
  $$
    values
      ('failed', 'error'), ('hidden', 'hidden'), ('a', null), ('a', 'repeated'), ('b', null),
      ('c', null), ('d', null), ('e', null), ('beyond', 'max_rows'), ('expired', 'expired')
  $$,
  'each row that is left out has its reason'
);

select * from finish();
rollback;
