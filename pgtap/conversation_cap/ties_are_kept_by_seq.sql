\ir ../setup.psql
select plan(2);
set local role recall_app;
insert into tool_recall.message_tool_results (
  user_id, conversation_id, message_id, tool_name, tool_input, tool_output, created_at
)
select
  pg_temp.id('ada'), pg_temp.id('ada chat'), pg_temp.id('ada message'), 'tool_' || n, '{}', '{}',
  pg_temp.at(1, '10:00')
from generate_series(1, 250) as n
order by n;

select results_eq(
  $$
    select replace(tool_name, 'tool_', '')::bigint
    from tool_recall.message_tool_results
    order by seq
  $$,
  'select n::bigint from generate_series(51, 250) as n',
  'of results of one microsecond those recorded last stay'
);
select pg_temp.record('same', created_at => pg_temp.at(1, '10:00'));
select results_eq(
  $$
    select min(replace(tool_name, 'tool_', '')::bigint), count(*)
    from tool_recall.message_tool_results
    where tool_name <> 'same'
  $$,
  $$ values (52::bigint, 199::bigint) $$,
  'and one more takes the place of the first'
);

select * from finish();
rollback;
