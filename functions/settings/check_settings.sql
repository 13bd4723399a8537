create or replace function tool_recall._check_settings() returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  if tg_op in ('DELETE', 'TRUNCATE') then
    raise exception using errcode = '23001', message = 'tool_recall.settings keeps its one row',
      hint = 'Change it by UPDATE.';
  end if;
  -- An unknown zone would be found only when the next result is recorded.
  begin
    perform clock_timestamp() at time zone new.time_zone;
  exception when others then
    raise exception using errcode = '22023',
      message = format('time_zone %L is not known to this server', new.time_zone),
      hint = 'The names are in pg_timezone_names.';
  end;
  if new.conversation_cap is distinct from old.conversation_cap then
    -- Conversations may hold as many as the old cap until a purge has swept them.
    update tool_recall._retention_state as t
    set cap_bound = greatest(t.cap_bound, old.conversation_cap, new.conversation_cap);
  end if;
  return new;
end
$$;
comment on function tool_recall._check_settings() is
  'Before a change of settings: keeps the row, checks time_zone, notes that the cap was lowered';

do $trigger$
begin
  if not exists (
    select from pg_catalog.pg_trigger as t
    where t.tgrelid = 'tool_recall.settings'::regclass and t.tgname = 'check_settings'
  ) then
    create trigger check_settings before update or delete on tool_recall.settings
    for each row execute function tool_recall._check_settings();
    create trigger keep_settings before truncate on tool_recall.settings
    for each statement execute function tool_recall._check_settings();
  end if;
end
$trigger$;
