create or replace function tool_recall.preview_summary_rule(
  tool_name text, template text, input_match jsonb default '{}', max_results integer default 5
) returns table (id uuid, created_at timestamptz, summary text)
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_rule tool_recall.summary_rules := tool_recall._new_rule(
    preview_summary_rule.tool_name, preview_summary_rule.template,
    preview_summary_rule.input_match);
begin
  if preview_summary_rule.max_results < 0 then
    raise exception using errcode = '22023', message = 'max_results must not be negative';
  end if;
  return query
  select
    m.id, m.created_at,
    tool_recall._summarize(v_rule, m.tool_input, m.tool_output, false, s.quote_free_text)
  from tool_recall.message_tool_results as m
    join tool_recall.settings as s on s.only_row
  where m.tool_name = preview_summary_rule.tool_name
    and m.tool_input @> preview_summary_rule.input_match
    -- What a rule is never asked about: failed calls, and rows of which only the head or nothing is left.
    and not m.is_error
    and (m.repairs ?| array['truncated', 'not_stored']) is not true
  order by m.created_at desc, m.seq desc
  limit preview_summary_rule.max_results;
end
$$;
comment on function tool_recall.preview_summary_rule(text, text, jsonb, integer) is
  'What a rule would say of the newest max_results stored results of its tool whose input contains '
  'input_match, without setting it; where it finds nothing in an output, the generic summary that '
  'would speak instead. It reads the table of results once, with no index on the tool. TR003: the '
  'template does not parse';
