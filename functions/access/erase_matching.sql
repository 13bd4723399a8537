-- A regular expression, case aside, that finds a value in text in which it may be escaped as JSON,
-- any number of times, or cut off (by the text's end or an ellipsis) after its first four
-- characters.
create or replace function tool_recall._text_pattern(value text) returns text
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  v_pattern text := '';
  v_code integer;
  r record;
begin
  -- More characters tell no better whether it is there.
  for r in
    select c.letter, c.place
    from regexp_split_to_table(left(value, 40), '') with ordinality as c (letter, place)
    order by c.place desc
  loop
    v_code := ascii(r.letter);
    v_pattern := case
      when r.letter ~ '[A-Za-z0-9]' collate "C" then r.letter
      when r.letter ~ '\s' then '(?:\s|\\+[nrtfb]|\\+u[0-9a-f]{4})+'
      else '(?:\\*' || case when v_code < 128 then '\' else '' end || r.letter || '|\\+u' || case
        when v_code < 65536 then lpad(to_hex(v_code), 4, '0')
        else to_hex(55296 + ((v_code - 65536) >> 10)) || '\\+u'
          || to_hex(56320 + ((v_code - 65536) & 1023))
      end || ')'
    end || v_pattern;
    if r.place > 4 then
      v_pattern := '(?:\\*(?:u[0-9a-f]{0,3})?$|\u2026|' || v_pattern || ')';
    end if;
  end loop;
  return v_pattern;
end
$$;
comment on function tool_recall._text_pattern(text) is
  'A regular expression for ~* that finds a value, or its beginning where it is cut off, in a text '
  'that may be JSON';

-- A procedure that commits can have no set clause: it pins search_path itself, again after each
-- commit.
create or replace procedure tool_recall.erase_matching(
  tool_name text, path text, value text,
  inout erased bigint default 0, inout remaining bigint default 0
)
language plpgsql
as $$
#variable_conflict use_column
declare
  v_search jsonb;
  v_after uuid := uuid '00000000-0000-0000-0000-000000000000';
  r record;
begin
  perform pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
  if coalesce(erase_matching.value, '') = '' or erase_matching.tool_name is null then
    raise exception using errcode = '22023',
      message = 'tool_name and value must be given, and value must not be empty',
      hint = 'Neither ever means all.';
  end if;
  v_search := tool_recall._value_search(erase_matching.path, erase_matching.value);
  erased := 0;
  remaining := 0;
  loop
    r := tool_recall._erase_batch(v_search, erase_matching.tool_name, v_after, 500);
    erased := erased + r.erased;
    remaining := remaining + r.remaining;
    v_after := r.last;
    commit;
    perform pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
    exit when v_after is null;
  end loop;
end
$$;
comment on procedure tool_recall.erase_matching(text, text, text, bigint, bigint) is
  'Replaces each value that path (as in set_capture_rule; $.** is everywhere) finds in the stored '
  'inputs and outputs of a tool, and whose text is value, by "[redacted]", writes the lines anew '
  'and '
  'notes the repair redacted. erased: how many rows it changed, each in a transaction of its own. '
  'remaining: in how many rows of the tool the text still stands, case aside, where the path '
  'does not '
  'reach. Call it alone, outside a transaction; rows that are recorded meanwhile may be missed. '
  'TR003: path is none';

create or replace function tool_recall._value_search(path text, value text) returns jsonb
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_clean text := tool_recall._clean_text(value);
begin
  return jsonb_build_array(
    tool_recall._compile_redact_paths(array[path]) -> 0
    || jsonb_build_object(
      'wanted', value,
      -- As it stands in outputs, or else in lines.
      'pattern', tool_recall._text_pattern(value) || case
        when v_clean not in (value, '') then '|' || tool_recall._text_pattern(v_clean) else ''
      end
    )
  );
end
$$;
comment on function tool_recall._value_search(text, text) is
  'The search for one value at one path';

create or replace function tool_recall._erase_batch(
  searches jsonb, tool_name text, after uuid, batch_size integer,
  out last uuid, out erased bigint, out remaining bigint
)
language plpgsql
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
as $$
#variable_conflict use_column
declare
  r tool_recall.message_tool_results;
  v_row tool_recall.message_tool_results;
begin
  erased := 0;
  remaining := 0;
  for r in
    select m.* from tool_recall.message_tool_results as m
    where m.id > _erase_batch.after
    order by m.id
    limit _erase_batch.batch_size
  loop
    last := r.id;
    continue when r.tool_name <> _erase_batch.tool_name;
    if tool_recall._without_value(r, searches) is distinct from r then
      -- It holds no other row while it waits for this one, so it can deadlock with nobody.
      select m.* into r from tool_recall.message_tool_results as m
      where m.id = last for no key update;
      continue when not found;
      v_row := tool_recall._without_value(r, searches);
      insert into tool_recall._erasures (id) values (last);
      update tool_recall.message_tool_results as m
      set tool_input = v_row.tool_input, tool_output = v_row.tool_output,
        repairs = v_row.repairs, recall_line = v_row.recall_line,
        recall_tokens = v_row.recall_tokens
      where m.id = last;
      delete from tool_recall._erasures as e where e.id = last;
      perform tool_recall._count('tool_results_erased_total', '', 1);
      erased := 1;
      r := v_row;
    end if;
    if tool_recall._may_hold(
      r.tool_input::text || chr(10) || r.tool_output::text || chr(10) || r.recall_line,
      searches -> 0)
    then
      remaining := remaining + 1;
    end if;
    exit when erased > 0;
  end loop;
end
$$;
comment on function tool_recall._erase_batch(jsonb, text, uuid, integer) is
  'Erases from the first row after an id in which there is something to erase, of the next '
  'batch_size rows of the table; last: where it came to, null at the end';

create or replace function tool_recall._without_value(
  result tool_recall.message_tool_results, searches jsonb
) returns tool_recall.message_tool_results
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_row tool_recall.message_tool_results := result;
  v_in_line boolean := tool_recall._may_hold(result.recall_line, searches -> 0);
  c record;
begin
  select * into c
  from tool_recall._captured(searches, result.tool_input, result.tool_output);
  if c.failed and not tool_recall._may_hold(
    result.tool_input::text || chr(10) || result.tool_output::text, searches -> 0)
  then
    return result;
  end if;
  -- The line of a result that is not whole was made from what is no longer there.
  if c.redacted = 0 and not c.failed and not (
    v_in_line and coalesce(result.repairs ?| array['truncated', 'not_stored'], false))
  then
    return result;
  end if;
  v_row.tool_input := c.tool_input;
  v_row.tool_output := c.tool_output;
  v_row.repairs := tool_recall._add_repair(v_row.repairs, 'redacted', greatest(c.redacted, 1));
  if c.failed then
    v_row.repairs := tool_recall._add_repair(v_row.repairs, 'not_stored');
  end if;
  v_row.recall_line := case
    when v_in_line and v_row.repairs ?| array['truncated', 'not_stored'] then ''
    else tool_recall._current_line(v_row)
  end;
  v_row.recall_tokens := tool_recall._line_tokens(v_row.recall_line);
  return v_row;
end
$$;
comment on function tool_recall._without_value(tool_recall.message_tool_results, jsonb) is
  'A stored result without the value that is sought, its line made from what is left; the same '
  'result where there is nothing to erase. A line that cannot be made again goes if it shows the '
  'value';
