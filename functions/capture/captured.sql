create or replace function tool_recall._without(value jsonb, searches jsonb)
returns tool_recall._redaction
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  v_result tool_recall._redaction := row(value, 0);
  v_part tool_recall._redaction;
  v_search jsonb;
begin
  -- The head of a value that was cut is the beginning of a JSON text: no path finds anything in it.
  if value -> 'truncated' = 'true' and jsonb_typeof(value -> 'head') = 'string' then
    return case
      when tool_recall._may_hold(value ->> 'head', searches -> 0)
        then row(value || '{"head": "[redacted]"}', 1)::tool_recall._redaction
      else v_result
    end;
  end if;
  for i in 0..jsonb_array_length(searches) - 1 loop
    v_search := searches -> i;
    v_part := tool_recall._redact(
      v_result.redacted, (v_search -> 'start')::bigint, v_search, 0,
      -- Whether any string may hold JSON: it begins like some.
      v_result.redacted::text ~ ('"(\\[nrt]|\s|' || chr(65279) || ')*([[{]|\\"|```)') collate "C");
    v_result := row(v_part.redacted, v_result.hits + v_part.hits);
  end loop;
  return v_result;
end
$$;
comment on function tool_recall._without(jsonb, jsonb) is
  'A value without what a rule''s searches find in it';

create or replace function tool_recall._captured(
  searches jsonb, inout tool_input jsonb, inout tool_output jsonb,
  out redacted integer, out failed boolean
)
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  v_input tool_recall._redaction;
  v_output tool_recall._redaction;
begin
  redacted := 0;
  failed := false;
  if searches = '[]' then
    return;
  end if;
  v_input := tool_recall._without(tool_input, searches);
  v_output := tool_recall._without(tool_output, searches);
  tool_input := v_input.redacted;
  tool_output := v_output.redacted;
  redacted := v_input.hits + v_output.hits;
exception when others then
  -- Never unredacted: what cannot be searched (nested too deep for the stack, say) is not stored.
  tool_input := tool_recall._not_stored();
  tool_output := tool_recall._not_stored();
  redacted := 0;
  failed := true;
end
$$;
comment on function tool_recall._captured(jsonb, jsonb, jsonb) is
  'Input and output as a rule lets them be stored, but for the output that store line leaves out '
  'once its line is made; markers in place of both where they could not be searched';

create or replace function tool_recall._not_stored() returns jsonb
language sql immutable parallel safe
return '{"not_stored": true}'::jsonb;
comment on function tool_recall._not_stored() is 'What stands where a value is not stored';
