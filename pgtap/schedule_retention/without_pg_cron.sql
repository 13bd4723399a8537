\ir ../setup.psql
select plan(5);

select matches(
  tool_recall.schedule_retention(schedule => '5 4 * * *'), 'pg_cron',
  'without pg_cron in this database the answer says so'
);
select matches(
  tool_recall.schedule_retention('5 4 * * *'), 'call tool_recall\.purge_expired\(\)',
  'and gives the command to run instead'
);
select matches(
  tool_recall.schedule_retention('5 4 * * *'), '5 4 \* \* \*',
  'with the schedule that was asked for'
);
select matches(
  tool_recall.schedule_retention(), '17 3 \* \* \*', 'daily unless told otherwise'
);
select matches(
  tool_recall.unschedule_retention(), 'pg_cron', 'there is nothing to unschedule either'
);

select * from finish();
rollback;
