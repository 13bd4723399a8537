create or replace function tool_recall._render_call(
  tool_name text, tool_input jsonb, quote_free_text boolean, max_bytes integer
) returns text
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  v_call text;
  v_room integer;
  v_argument text;
  v_name text;
  v_first boolean := true;
  r record;
begin
  if tool_name ~ '^[A-Za-z0-9_.:/-]{1,64}$' collate "C" then
    v_call := tool_name;
  else
    v_call := tool_recall._quote_text(tool_name, 40);
    if octet_length(v_call) > 64 then
      v_call := U&'"\2026"';
    end if;
  end if;
  v_call := v_call || '(';
  v_room := max_bytes - octet_length(v_call) - 1;
  if jsonb_typeof(tool_input) <> 'object' then
    v_argument := tool_recall._render_value(tool_input, quote_free_text);
    return v_call || case when octet_length(v_argument) <= v_room then v_argument else U&'\2026' end || ')';
  end if;
  -- Arguments from the first on; where one does not fit, an ellipsis stands for it and all after it.
  -- While another may follow, room is kept for the ', ...' of five bytes.
  for r in
    select e.key, e.value, e.place, count(*) over () as total
    from jsonb_each(tool_input) with ordinality as e (key, value, place)
    order by e.place
  loop
    if r.key ~ '^[A-Za-z0-9_.:/-]{1,64}$' collate "C" then
      v_name := r.key;
    elsif quote_free_text then
      v_name := tool_recall._quote_text(r.key, 40);
    else
      v_name := U&'"\2026"';
    end if;
    v_argument := case when v_first then '' else ', ' end
      || v_name || '=' || tool_recall._render_value(r.value, quote_free_text);
    if octet_length(v_argument) + (case when r.place < r.total then 5 else 0 end) > v_room then
      return v_call || case when v_first then U&'\2026)' else U&', \2026)' end;
    end if;
    v_call := v_call || v_argument;
    v_room := v_room - octet_length(v_argument);
    v_first := false;
  end loop;
  return v_call || ')';
end
$$;
comment on function tool_recall._render_call(text, jsonb, boolean, integer) is
  'tool(name=value, ...) within max_bytes bytes, arguments in jsonb''s key order; what does not fit '
  'becomes an ellipsis, from the last argument on';
