create or replace function tool_recall.version() returns text
language sql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
  select '0.1.0.dev0'::text
$$;
comment on function tool_recall.version() is
  'The version of pg_tool_recall that is installed here';
