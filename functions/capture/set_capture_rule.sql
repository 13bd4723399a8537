create or replace function tool_recall.set_capture_rule(
  tool_name text, store text default 'full', redact_paths text[] default '{}'
) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_searches jsonb;
begin
  if coalesce(tool_recall._clean_text(set_capture_rule.tool_name), '') = '' then
    raise exception using errcode = 'TR003', message = 'a rule needs the name of its tool';
  end if;
  if set_capture_rule.store is null or set_capture_rule.store not in ('full', 'line', 'none') then
    raise exception using errcode = 'TR003',
      message = format('store is %L', set_capture_rule.store),
      hint = 'full stores a result, line all but its output, none nothing of it.';
  end if;
  if set_capture_rule.redact_paths is null
    or array_position(set_capture_rule.redact_paths, null) is not null
    or array_ndims(set_capture_rule.redact_paths) > 1
  then
    raise exception using errcode = 'TR003',
      message = 'redact_paths must be a list of SQL/JSON paths, none of them null',
      hint = 'An empty one redacts nothing.';
  end if;
  v_searches := tool_recall._compile_redact_paths(array(
    select p.path from unnest(set_capture_rule.redact_paths) with ordinality as p (path, place)
    order by p.place
  ));
  insert into tool_recall.capture_rules as r (tool_name, store, redact_paths, searches)
  values (
    set_capture_rule.tool_name, set_capture_rule.store, set_capture_rule.redact_paths, v_searches
  )
  on conflict on constraint capture_rules_pkey do update
  set store = excluded.store, redact_paths = excluded.redact_paths, searches = excluded.searches;
end
$$;
comment on function tool_recall.set_capture_rule(text, text, text[]) is
  'Sets what is stored of a tool''s results from now on, on every path into the table. '
  'store: full; line: the output is left out once the line is made from it; none: no row at all. '
  'redact_paths: SQL/JSON paths ($.members[*].email, $.**.password); what they find in the input '
  'or the output is replaced by "[redacted]" before the line is made, and counted in repairs. '
  'Again for the same tool: replaces its rule. TR003: what is no path to redact, with its place in '
  'the list';

create or replace function tool_recall.drop_capture_rule(tool_name text) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
begin
  delete from tool_recall.capture_rules as r where r.tool_name = drop_capture_rule.tool_name;
end
$$;
comment on function tool_recall.drop_capture_rule(text) is
  'Drops the rule that set_capture_rule made for a tool, whose results are then stored in full; '
  'without effect where there is none';
