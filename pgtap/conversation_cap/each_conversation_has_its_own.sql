\ir ../setup.psql
select plan(1);
update tool_recall.settings set conversation_cap = 2;
set local role recall_app;
select pg_temp.record('here_' || n) from generate_series(1, 3) as n;
select pg_temp.record(
  'elsewhere_' || n, conversation => 'ada second chat', message => 'ada second message'
)
from generate_series(1, 3) as n;
select pg_temp.record('failed', is_error => true);

select is(
  (select array_agg(m.tool_name::text order by m.seq) from tool_recall.message_tool_results as m),
  array['here_3', 'elsewhere_2', 'elsewhere_3', 'failed'],
  'another conversation''s results are not counted; errors are'
);

select * from finish();
rollback;
