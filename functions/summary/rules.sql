create or replace function tool_recall._new_rule(
  tool_name text, template text, input_match jsonb
) returns tool_recall.summary_rules
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_rule tool_recall.summary_rules;
begin
  if coalesce(tool_recall._clean_text(tool_name), '') = '' then
    raise exception using errcode = 'TR003', message = 'a rule needs the name of its tool';
  end if;
  if jsonb_typeof(coalesce(input_match, 'null')) <> 'object' then
    raise exception using errcode = 'TR003', message = 'input_match must be a JSON object',
      hint = 'It names arguments and their values; {} matches every call.';
  end if;
  v_rule.tool_name := tool_name;
  v_rule.input_match := input_match;
  v_rule.template := template;
  v_rule.match_keys := (select count(*) from jsonb_object_keys(_new_rule.input_match));
  if template is not null then
    v_rule.segments := tool_recall._parse_template(template);
  end if;
  return v_rule;
end
$$;
comment on function tool_recall._new_rule(text, text, jsonb) is
  'The rule that these make, checked and parsed: TR003 where they make none';

create or replace function tool_recall.set_summary_rule(
  tool_name text, template text, input_match jsonb default '{}'
) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_rule tool_recall.summary_rules := tool_recall._new_rule(
    set_summary_rule.tool_name, set_summary_rule.template, set_summary_rule.input_match);
begin
  delete from tool_recall.summary_rules as r
  where r.tool_name = set_summary_rule.tool_name and r.input_match = set_summary_rule.input_match;
  insert into tool_recall.summary_rules (tool_name, input_match, template, segments, match_keys)
  values (
    v_rule.tool_name, v_rule.input_match, v_rule.template, v_rule.segments, v_rule.match_keys
  );
end
$$;
comment on function tool_recall.set_summary_rule(text, text, jsonb) is
  'Sets how results of a tool, for calls whose input contains input_match, are summarized from '
  'now on; template null: they never use a line of the block. Of several rules that match, the '
  'one whose match has most keys wins, then the newest. Placeholders: {count(path)}, '
  '{first(path)}, {last(path)}, {min(path)}, {max(path)}, {sum(path)}, {change(path)}, {top(rows,'
  ' measure, shown)} on the output, {input(path)} on the input, each also as {plain:...} and '
  '{date:...}; paths are SQL/JSON. TR003: the template does not parse. Stored lines change with '
  'refresh_recall_lines';

create or replace function tool_recall.drop_summary_rule(
  tool_name text, input_match jsonb default '{}'
) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
begin
  delete from tool_recall.summary_rules as r
  where r.tool_name = drop_summary_rule.tool_name and r.input_match = drop_summary_rule.input_match;
end
$$;
comment on function tool_recall.drop_summary_rule(text, jsonb) is
  'Drops a rule that set_summary_rule made; without effect where there is none';
