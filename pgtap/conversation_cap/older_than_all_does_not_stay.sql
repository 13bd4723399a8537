\ir ../setup.psql
select plan(3);
set local role recall_app;
select pg_temp.record('tool_' || n, created_at => pg_temp.at(1, '00:00') + n * interval '1 s')
from generate_series(1, 200) as n;
select pg_temp.record('late', created_at => pg_temp.at(1, '00:00'));
select pg_temp.record('between', created_at => pg_temp.at(1, '00:00') + interval '100.5 s');

select is(
  (select count(*) from tool_recall.message_tool_results), 200::bigint, 'there are 200'
);
select is_empty(
  $$ select from tool_recall.message_tool_results where tool_name in ('late', 'tool_1') $$,
  'by when the tool returned, not by when it was recorded'
);
select isnt_empty(
  $$ select from tool_recall.message_tool_results where tool_name = 'between' $$,
  'one that is newer than some takes the oldest''s place'
);

select * from finish();
rollback;
