create or replace function tool_recall._scheduler() returns text
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_reason text := tool_recall._without_pg_cron();
  v_schedule text;
begin
  if v_reason is not null then
    return v_reason;
  end if;
  execute
    'select j.schedule || case when j.active then '''' else '' (inactive)'' end from cron.job as j '
    'where j.jobname = $1 and j.database = current_database() order by j.active desc limit 1'
  into v_schedule
  using 'pg_tool_recall_retention';
  return coalesce('pg_cron: ' || v_schedule, 'pg_cron is here, no job pg_tool_recall_retention');
end
$$;
comment on function tool_recall._scheduler() is
  'How retention is scheduled, as the installing role sees it';
