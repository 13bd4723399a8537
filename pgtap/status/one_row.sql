\ir ../setup.psql
select plan(5);

select columns_are(
  'tool_recall', 'status',
  array[
    'version', 'estimated_rows', 'oldest_row', 'scheduler', 'last_purge_at', 'last_purge_deleted',
    'vocabulary'
  ],
  'the view says all that the contract names'
);
select is((select count(*) from tool_recall.status), 1::bigint, 'in one row');
select is(
  (select s.oldest_row from tool_recall.status as s), null, 'there is no oldest row at first'
);
select pg_temp.record(created_at => pg_temp.at(3, '10:00'));
select pg_temp.record(
  user_name => 'bob', conversation => 'bob chat', message => 'bob message',
  created_at => pg_temp.at(4, '10:00')
);
select results_eq(
  'select version, oldest_row, vocabulary from tool_recall.status',
  $$ select tool_recall.version(), pg_temp.at(4, '10:00'), 'estimate' $$,
  'the version, the oldest row and how tokens are counted'
);
select matches(
  (select s.scheduler from tool_recall.status as s), 'pg_cron', 'and how retention is scheduled'
);

select * from finish();
rollback;
