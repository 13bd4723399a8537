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
  v_key text;
  v_value jsonb;
  v_shown boolean;
  v_arguments text := '';
  v_longer text;
begin
  for i in 0..v_last loop
    v_key := v_pairs -> i ->> 'key';
    -- In variables, so that the functions below are made part of the expression.
    v_value := v_pairs -> i -> 'value';
    v_shown := quote_free_text and not tool_recall._is_secret_name(v_key);
    v_longer := v_arguments || case when i > 0 then ', ' else '' end
      || tool_recall._bare_or_quoted(v_key, quote_free_text)
      || '=' || tool_recall._render_value(v_value, v_shown);
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
