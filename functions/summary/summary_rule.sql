create or replace function tool_recall._summary_rule(tool_name text, tool_input jsonb)
returns setof tool_recall.summary_rules
language sql stable parallel safe
begin atomic
  -- noqa: disable=RF01
  select r.*
  from tool_recall.summary_rules as r
  where r.tool_name = _summary_rule.tool_name
    and (r.input_match = '{}' or _summary_rule.tool_input @> r.input_match)
  order by r.match_keys desc, r.seq desc
  limit 1;
end;
comment on function tool_recall._summary_rule(text, jsonb) is
  'The rule for a call: of those that match its input the one whose match has most keys, then the'
  ' newest';
