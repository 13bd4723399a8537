\ir ../setup.psql
select plan(2);
set local role recall_app;
select pg_temp.record(
  'search', jsonb_build_object('q', repeat('word ', 20) || e.ending), '1',
  created_at => pg_temp.at(1, '10:00')
)
from (values ('one'), ('two')) as e (ending);

select is(
  (select count(distinct m.recall_line) from tool_recall.message_tool_results as m), 1::bigint,
  'arguments that differ behind the cut look the same'
);
select is(pg_temp.recalled(), array['search', 'search'], 'they are two calls all the same');

select * from finish();
rollback;
