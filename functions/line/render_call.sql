create or replace function tool_recall._bare_or_quoted(name text, quote_free_text boolean) returns text
language sql immutable parallel safe
return case
  when name ~ '^[A-Za-z0-9_.:/-]{1,64}$' collate "C" then name
  when quote_free_text then tool_recall._quote_text(name, 40)
  else U&'"\2026"'
end;
comment on function tool_recall._bare_or_quoted(text, boolean) is
  'A tool''s or argument''s name, bare where it is plain, else quoted (or "..." where free text may not '
  'be shown)';

create or replace function tool_recall._render_arguments(
  tool_input jsonb, quote_free_text boolean, max_bytes integer
) returns text
language plpgsql stable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  -- [{"key": ..., "value": ...}, ...] in jsonb's key order.
  v_pairs jsonb := jsonb_path_query_array(tool_input, '$.keyvalue()');
  v_last integer := jsonb_array_length(v_pairs) - 1;
  v_arguments text := '';
  v_longer text;
begin
  for i in 0..v_last loop
    v_longer := v_arguments || case when i > 0 then ', ' else '' end
      || tool_recall._bare_or_quoted(v_pairs -> i ->> 'key', quote_free_text)
      || '=' || tool_recall._render_value(v_pairs -> i -> 'value', quote_free_text);
    -- Unless it is the last, room is kept for ', ...': five bytes.
    if octet_length(v_longer) + (case when i < v_last then 5 else 0 end) > max_bytes then
      return v_arguments || case when i > 0 then ', ' else '' end || chr(8230);
    end if;
    v_arguments := v_longer;
  end loop;
  return v_arguments;
end
$$;
comment on function tool_recall._render_arguments(jsonb, boolean, integer) is
  'name=value, ... within max_bytes bytes; an ellipsis stands for the arguments that do not fit';

create or replace function tool_recall._render_call(
  tool_name text, tool_input jsonb, quote_free_text boolean, max_bytes integer
) returns text
language plpgsql stable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  v_name text := tool_recall._bare_or_quoted(tool_name, true);
  v_arguments text;
begin
  if octet_length(v_name) > 64 then
    v_name := '"' || chr(8230) || '"';
  end if;
  if jsonb_typeof(tool_input) = 'object' then
    v_arguments := tool_recall._render_arguments(
      tool_input, quote_free_text, max_bytes - octet_length(v_name) - 2);
  else
    v_arguments := tool_recall._render_value(tool_input, quote_free_text);
    if octet_length(v_name) + octet_length(v_arguments) + 2 > max_bytes then
      v_arguments := chr(8230);
    end if;
  end if;
  return v_name || '(' || v_arguments || ')';
end
$$;
comment on function tool_recall._render_call(text, jsonb, boolean, integer) is
  'tool(name=value, ...) within max_bytes bytes, arguments in jsonb''s key order; what does not fit '
  'becomes an ellipsis, from the last argument on';
