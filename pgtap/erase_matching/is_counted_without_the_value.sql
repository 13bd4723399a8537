\ir ../setup.psql
select plan(2);
\ir erase.psql
\ir ../metrics/value.psql
select pg_temp.record('list_members', '{}', '{"email": "jane", "also": "jane"}');
select pg_temp.record('list_members', '{}', '{"email": "jane"}');
select pg_temp.erase('list_members', '$.**', 'jane');

select is(pg_temp.metric('tool_results_erased_total'), 2::numeric, 'rows are counted');
select is_empty(
  $$ select from tool_recall._counters as c where c::text ~ 'jane' $$, 'and not by the value'
);

select * from finish();
rollback;
