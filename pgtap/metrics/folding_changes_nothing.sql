\ir ../setup.psql
\ir value.psql
select plan(3);
select pg_temp.record('a');
select tool_recall._fold_counters();
select pg_temp.record('a');
select pg_temp.record('b');
select is(
  (
    select count(*) from tool_recall._counters as c
    where c.name = 'tool_results_persisted_total'
  ), 3::bigint, 'a folded row is not written again'
);
select tool_recall._fold_counters();

select is(
  (
    select count(*) from tool_recall._counters as c
    where c.name = 'tool_results_persisted_total'
  ), 2::bigint, 'one row a counter is left'
);
select is(pg_temp.metric('tool_results_persisted_total', 'a'), 2::numeric, 'with the sum');

select * from finish();
rollback;
