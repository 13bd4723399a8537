create or replace function tool_recall._summarize(
  tool_name text, tool_input jsonb, tool_output jsonb, is_error boolean, quote_free_text boolean
) returns text
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_segments jsonb;
  v_summary text;
begin
  if not is_error then
    select r.segments into v_segments
    from tool_recall.summary_rules as r
    where r.tool_name = _summarize.tool_name
      and (r.input_match = '{}' or _summarize.tool_input @> r.input_match)
    order by r.match_keys desc, r.seq desc
    limit 1;
    if found and v_segments is null then
      return null;
    end if;
    if found then
      begin
        v_summary := tool_recall._apply_rule(v_segments, tool_input, tool_output, quote_free_text);
      exception when others then
        -- The output is not what the rule was written for: the generic summary speaks.
        v_summary := null;
      end;
      if v_summary is not null then
        return v_summary;
      end if;
    end if;
  end if;
  begin
    return tool_recall._generic_summary(tool_output, is_error, quote_free_text);
  exception when others then
    -- Recording never fails for a summary: what kind of value it is can always be told.
    return case when is_error then 'error' else jsonb_typeof(tool_output) end;
  end;
end
$$;
comment on function tool_recall._summarize(text, jsonb, jsonb, boolean, boolean) is
  'The part of a line after the colon; null for a tool that never uses a line';

create or replace function tool_recall.summarize_tool_result(
  tool_name text, tool_input jsonb, tool_output jsonb, is_error boolean default false
) returns text
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_variable
begin
  return tool_recall._summarize(
    tool_name, coalesce(tool_input, '{}'), coalesce(tool_output, 'null'), coalesce(is_error, false),
    (select s.quote_free_text from tool_recall.settings as s)
  );
end
$$;
comment on function tool_recall.summarize_tool_result(text, jsonb, jsonb, boolean) is
  'The part of a line after the colon, by the tool''s rule or else generic: counts, newest date, first '
  'figures; null for a tool that never uses a line. Never raises for what a tool returned';
