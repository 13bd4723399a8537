\ir ../setup.psql
select plan(1);
set local role recall_app;
select pg_temp.record('tool_' || n, created_at => pg_temp.at(1, '00:00') + n * interval '1 s')
from generate_series(1, 205) as n;

select results_eq(
  $$
    select replace(tool_name, 'tool_', '')::bigint
    from tool_recall.message_tool_results
    order by created_at
  $$,
  'select n::bigint from generate_series(6, 205) as n',
  'of 205 results recorded one by one the newest 200 stay'
);

select * from finish();
rollback;
