create or replace function tool_recall._render_line(
  created_at timestamptz, tool_name text, tool_input jsonb, summary text,
  time_zone text, quote_free_text boolean
) returns text
language plpgsql stable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  v_head text;
begin
  if summary is null then
    return null;
  end if;
  -- 180 bytes: 13 of dash and day, 2 of ': ', the summary whole, and the call what is left. Arguments give
  -- way first; the summary is cut only where the call without any leaves too little.
  v_head := '- ' || to_char(created_at at time zone time_zone, 'YYYY-MM-DD') || ' '
    || tool_recall._render_call(tool_name, tool_input, quote_free_text, 180 - 13 - 2 - octet_length(summary))
    || ': ';
  return v_head || tool_recall._cut_summary(summary, 180 - octet_length(v_head));
end
$$;
comment on function tool_recall._render_line(timestamptz, text, jsonb, text, text, boolean) is
  'A line of the block: - day tool(arguments): summary, at most 180 bytes; null without a summary';

create or replace function tool_recall._line_tokens(line text) returns integer
language sql stable parallel safe
return case when line = '' then 0 else tool_recall.count_tokens(line || E'\n') end;
comment on function tool_recall._line_tokens(text) is
  'What a line adds to a block''s count, its line break included';
