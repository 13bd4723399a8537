create or replace function tool_recall.erasure_report(
  user_id tool_recall.message_tool_results.user_id%type
) returns table (relation text, rows bigint)
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
begin
  if coalesce(erasure_report.user_id::text, '') = '' then
    return;
  end if;
  -- What may not be seen must not pass for what is not there.
  if row_security_active('tool_recall.message_tool_results'::regclass) then
    perform tool_recall._check_setting_user(erasure_report.user_id);
  end if;
  return query
  select 'tool_recall.message_tool_results', count(*)
  from tool_recall.message_tool_results as m
  where m.user_id = erasure_report.user_id;
end
$$;
comment on function tool_recall.erasure_report is
  'How many rows each table that holds something of a user has of him, one row a table, 0 where '
  'there '
  'is none; no row for null or ''''. TR001: row security binds the caller, and the setting '
  'tool_recall.user_id is not this user';
