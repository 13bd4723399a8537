\ir ../setup.psql
select plan(2);
-- Far more repeated calls than lines: the block reaches back behind them.
set local role recall_app;
select pg_temp.record('other_' || n, created_at => pg_temp.at(1, '10:00') + n * interval '1 s')
from generate_series(1, 5) as n;
select pg_temp.record(
  'poll', '{}', to_jsonb(n), created_at => pg_temp.at(1, '11:00') + n * interval '1 s'
)
from generate_series(1, 50) as n;

select is(
  pg_temp.recalled(), array['poll', 'other_5', 'other_4', 'other_3', 'other_2'],
  'they take one line, and older calls the rest'
);
select matches(pg_temp.block(), 'poll\(\): 50\n', 'it is the newest');

select * from finish();
rollback;
