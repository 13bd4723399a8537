\ir ../setup.psql
select plan(1);
set local role recall_app;
select pg_temp.record(
  'search', jsonb_build_object('q', repeat('word ', 20)), '1', created_at => t.created_at
)
from (values
  (pg_temp.at(3, '10:00')), (pg_temp.at(2, '10:00')), (pg_temp.at(2, '11:00'))
) as t (created_at);

select is(
  pg_temp.recalled(), array['search', 'search'],
  'a call of which not all is shown has a line for each day too'
);

select * from finish();
rollback;
