create or replace function tool_recall._plain_text(value text) returns text
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  v_text text := tool_recall._clean_text(left(value, 4000));
begin
  if v_text ~ '^[A-Za-z0-9 ._''-]{1,40}$' collate "C" then
    return v_text;
  end if;
  return tool_recall._quote_text(value, 40);
end
$$;
comment on function tool_recall._plain_text(text) is
  'The text bare, if it is at most 40 letters, digits (ASCII), spaces and -_.'' - else quoted';
