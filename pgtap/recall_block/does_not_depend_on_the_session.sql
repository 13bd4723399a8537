\ir ../setup.psql
select plan(3);
set local role recall_app;
select pg_temp.record(
  'list_orders', '{"since": "2026-05-01", "ratio": 0.1}',
  '{"orders": [{"placed_at": "2026-05-10T23:30:00Z"}, {"placed_at": "2026-05-09T22:00:00-07:00"}]}',
  created_at => pg_temp.at(3, '23:30')
);
select pg_temp.block() as block \gset

set local time zone 'Asia/Tokyo';
set local datestyle = 'German, DMY';
set local intervalstyle = 'sql_standard';
set local extra_float_digits = -10;
set local bytea_output = 'escape';
set local lc_time = 'C';
select is(pg_temp.block(), :'block'::text, 'the block is the same in another session');

select pg_temp.record(
  'list_orders', '{"since": "2026-05-01", "ratio": 0.1}',
  '{"orders": [{"placed_at": "2026-05-10T23:30:00Z"}, {"placed_at": "2026-05-09T22:00:00-07:00"}]}',
  created_at => pg_temp.at(3, '23:30')
);
select is(pg_temp.block(), :'block'::text, 'and so is what another session records');
select matches(
  pg_temp.block(), '\): 2 orders\M.* 2026-05-10\n',
  'days in outputs are taken in UTC'
);

select * from finish();
rollback;
