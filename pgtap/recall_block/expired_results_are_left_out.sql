\ir ../setup.psql
select plan(1);
set local role recall_app;
set local time zone 'America/New_York';
select pg_temp.record('kept', created_at => now() - interval '4320 hours' + interval '1 minute');
select pg_temp.record('expired', created_at => now() - interval '4320 hours' - interval '1 minute');

select is(
  pg_temp.recalled(), array['kept'],
  'after 180 days of 24 hours a result is not recalled, whatever the session''s time zone'
);

select * from finish();
rollback;
