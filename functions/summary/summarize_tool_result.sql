create or replace function tool_recall._summarize(
  rule tool_recall.summary_rules, tool_input jsonb, tool_output jsonb, is_error boolean,
  quote_free_text boolean
) returns text
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_summary text;
begin
  if rule.tool_name is not null and not is_error then
    if rule.template is null then
      return null;
    end if;
    begin
      v_summary := tool_recall._apply_rule(rule.segments, tool_input, tool_output, quote_free_text);
    exception when others then
      -- The output is not what the rule was written for: the generic summary speaks.
      v_summary := null;
    end;
    if v_summary is not null then
      return v_summary;
    end if;
  end if;
  -- In no exception block, which would double the cost of recording: it is made of what cannot
  -- raise.
  return tool_recall._generic_summary(tool_output, is_error, quote_free_text);
end
$$;
comment on function tool_recall._summarize is
  'The part of a line after the colon, by a rule or, where that is null or finds nothing, '
  'generic; null for a tool that never uses a line';

create or replace function tool_recall.summarize_tool_result(
  tool_name text, tool_input jsonb, tool_output jsonb, is_error boolean default false
) returns text
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return (
    select tool_recall._summarize(
      u, coalesce(summarize_tool_result.tool_input, '{}'),
      coalesce(summarize_tool_result.tool_output, 'null'),
      coalesce(summarize_tool_result.is_error, false), s.quote_free_text)
    from tool_recall.settings as s
      left join lateral tool_recall._summary_rule(
        summarize_tool_result.tool_name,
        coalesce(summarize_tool_result.tool_input, '{}')) as u on true
    where s.only_row
  );
end
$$;
comment on function tool_recall.summarize_tool_result(text, jsonb, jsonb, boolean) is
  'The part of a line after the colon, by the tool''s rule or else generic: counts, newest date, '
  'first figures; null for a tool that never uses a line. Never raises for what a tool returned';
