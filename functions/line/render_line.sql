create or replace function tool_recall._render_line(
  created_at timestamptz, tool_name text, tool_input jsonb, summary text,
  time_zone text, quote_free_text boolean
) returns text
language plpgsql stable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  v_head text;
  v_room integer;
  v_arguments text;
begin
  if summary is null then
    return null;
  end if;
  v_head := tool_recall._bare_or_quoted(tool_name, quote_free_text);
  if octet_length(v_head) > 64 then
    v_head := '"' || chr(8230) || '"';
  end if;
  v_head := '- ' || to_char(created_at at time zone time_zone, 'YYYY-MM-DD')
    || ' ' || v_head || '(';
  -- 180 bytes: the summary whole, '): ' before it, and the arguments what is left. Arguments give
  -- way first; the summary is cut only where the call without any leaves too little.
  v_room := 180 - octet_length(v_head) - 3 - octet_length(summary);
  if jsonb_typeof(tool_input) = 'object' then
    v_arguments := tool_recall._render_arguments(tool_input, quote_free_text, v_room);
  else
    v_arguments := tool_recall._render_value(tool_input, quote_free_text);
    if octet_length(v_arguments) > v_room then
      v_arguments := chr(8230);
    end if;
  end if;
  v_head := v_head || v_arguments || '): ';
  return v_head || tool_recall._cut_summary(summary, 180 - octet_length(v_head));
end
$$;
comment on function tool_recall._render_line(timestamptz, text, jsonb, text, text, boolean) is
  'A line of the block: - day tool(name=value, ...): summary, at most 180 bytes; null without a '
  'summary';

create or replace function tool_recall._line_tokens(line text) returns integer
language sql stable parallel safe
return case
  when line = '' then 0
  -- '- 2026-05-12' always is eight: the sign, a space, 202, 6, -, 05, - and 12.
  else 8 + tool_recall.count_tokens(substr(line, 13) || E'\n')
end;
comment on function tool_recall._line_tokens(text) is
  'What a line adds to a block''s count, its line break included';
