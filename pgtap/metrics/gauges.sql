\ir ../setup.psql
\ir value.psql
select plan(5);
select is(
  pg_temp.metric('tool_results_oldest_age_seconds'), null, 'what is not known has no row'
);
select pg_temp.record(created_at => now() - interval '1 day');
update tool_recall._retention_state set last_purge_at = now() - interval '1 hour';

select ok(
  pg_temp.metric('tool_results_oldest_age_seconds') between 86400 and 86500, 'the oldest row''s age'
);
select ok(
  pg_temp.metric('tool_results_last_purge_age_seconds') between 3600 and 3700, 'the last purge''s'
);
select ok(pg_temp.metric('tool_results_bytes') > 0, 'the size, indexes included');
select is_empty(
  $$ select from tool_recall.metrics where value is null or labels is null or kind is null $$,
  'no metric is null'
);

select * from finish();
rollback;
