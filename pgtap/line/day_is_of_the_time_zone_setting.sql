\ir ../setup.psql
select plan(1);
update tool_recall.settings set time_zone = 'Asia/Tokyo';
set local time zone 'America/Los_Angeles';
set local role recall_app;
select pg_temp.record('a', created_at => '2026-05-12 14:59:59+00');
select pg_temp.record('b', created_at => '2026-05-12 15:00:00+00');

select results_eq(
  'select left(recall_line, 14) from tool_recall.message_tool_results order by seq',
  $$ values ('- 2026-05-12 a'), ('- 2026-05-13 b') $$,
  'the day begins at midnight in the time_zone setting, whatever the session''s is'
);

select * from finish();
rollback;
