\ir ../setup.psql
select plan(1);
select tool_recall.set_summary_rule('heartbeat', null);
set local role recall_app;
select pg_temp.record(
  t.tool_name, '{}', '1', created_at => pg_temp.at(1, '10:00') + n * interval '1 s'
)
from generate_series(1, 5) as n
  cross join lateral (values ('heartbeat'), ('poll'), ('tool_' || n)) as t (tool_name);
select pg_temp.record('failed', is_error => true, created_at => pg_temp.at(1, '11:00'));

select is(
  pg_temp.recalled(), array['tool_5', 'poll', 'tool_4', 'tool_3', 'tool_2'],
  'five lines are five that show'
);

select * from finish();
rollback;
