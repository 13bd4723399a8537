\ir ../setup.psql
select plan(1);
update tool_recall.settings set max_output_bytes = 1024;
set local role recall_app;
select pg_temp.record(
  'search', jsonb_build_object('q', repeat('word ', 400) || e.ending), '1',
  created_at => pg_temp.at(1, '10:00')
)
from (values ('one'), ('two'), ('two')) as e (ending);

select is(
  pg_temp.recalled(), array['search', 'search'],
  'arguments that were truncated are told apart, and the same are the same'
);

select * from finish();
rollback;
