create or replace function tool_recall._retention_command() returns text
language sql immutable
set search_path = pg_catalog, pg_temp
as $$
  select 'call tool_recall.purge_expired()'
$$;
comment on function tool_recall._retention_command() is
  'What the retention job runs: exactly one call, since the procedure commits';

create or replace function tool_recall._without_pg_cron() returns text
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
begin
  if not exists (select from pg_extension as e where e.extname = 'pg_cron') then
    return format('pg_cron is not in database %I', current_database());
  elsif not has_schema_privilege('cron', 'usage') then
    return format('role %I may not use pg_cron (grant usage on schema cron to %I)',
      current_user, current_user);
  end if;
  return null;
end
$$;
comment on function tool_recall._without_pg_cron() is
  'Why pg_cron cannot be used from this database and role; null where it can';

create or replace function tool_recall.schedule_retention(schedule text default '17 3 * * *')
returns text
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  v_reason text := tool_recall._without_pg_cron();
begin
  if v_reason is not null then
    return format(
      'Nothing scheduled: %s. Let any scheduler run, daily, in database %I: %s; '
      'or, from the database that has pg_cron: select cron.schedule_in_database(%L, %L, %L, %L);',
      v_reason, current_database(), tool_recall._retention_command(),
      'pg_tool_recall_retention', schedule, tool_recall._retention_command(), current_database());
  end if;
  execute 'select cron.schedule($1, $2, $3)'
  using 'pg_tool_recall_retention', schedule, tool_recall._retention_command();
  return format('Scheduled pg_tool_recall_retention at %L: %s',
    schedule, tool_recall._retention_command());
end
$$;
comment on function tool_recall.schedule_retention(text) is
  'Schedules purge_expired as the pg_cron job pg_tool_recall_retention (again: with the new '
  'schedule), in cron''s syntax and pg_cron''s time zone; without pg_cron the answer says so and '
  'gives the command to run instead';

create or replace function tool_recall.unschedule_retention() returns text
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  v_reason text := tool_recall._without_pg_cron();
  v_job bigint;
begin
  if v_reason is not null then
    return 'Nothing unscheduled: ' || v_reason;
  end if;
  for v_job in
    execute
      'select j.jobid from cron.job as j '
      'where j.jobname = $1 and j.database = current_database()'
    using 'pg_tool_recall_retention'
  loop
    execute 'select cron.unschedule($1)' using v_job;
  end loop;
  if v_job is null then
    return 'Nothing unscheduled: no job pg_tool_recall_retention';
  end if;
  return 'Unscheduled pg_tool_recall_retention';
end
$$;
comment on function tool_recall.unschedule_retention() is
  'Removes the pg_cron job pg_tool_recall_retention; the answer says what was done';
