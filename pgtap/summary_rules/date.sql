\ir ../setup.psql
select plan(9);
set local time zone 'America/Los_Angeles';
set local datestyle = 'SQL, DMY';

create function pg_temp.day(value text) returns text language plpgsql as $$
begin
  perform tool_recall.set_summary_rule('ruled', 'on {date:first($.at)}');
  return tool_recall.summarize_tool_result('ruled', '{}', jsonb_build_object('at', value));
end
$$;

select is(pg_temp.day('2026-05-10'), 'on 2026-05-10', 'a date');
select is(pg_temp.day('2026-05-10T23:59:59Z'), 'on 2026-05-10', 'a time in UTC');
select is(
  pg_temp.day('2026-05-10T23:00:00-02:00'), 'on 2026-05-11', 'another zone''s is shown in UTC'
);
select is(pg_temp.day('2026-05-10T01:00:00.5+02:00'), 'on 2026-05-09', 'in both directions');
select is(pg_temp.day('2026-05-10T23:30:00'), 'on 2026-05-10', 'a time without a zone is in UTC');
select is(pg_temp.day('2024-02-29'), 'on 2024-02-29', 'a leap day');
select isnt(pg_temp.day('2025-02-29'), 'on 2025-02-29', 'a day that is none is not said');
select unalike(pg_temp.day('05/10/2026'), 'on %', 'nor is a date in another form');
select unalike(pg_temp.day('2026-05-10 and more'), 'on %', 'nor is a text that begins like one');

select * from finish();
rollback;
