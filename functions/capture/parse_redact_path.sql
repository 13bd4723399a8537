-- A path to redact is written as the SQL/JSON paths of summary rules are. It is read in the form in
-- which the server prints it: every key in quotes, no spaces, the same on all versions.
create or replace function tool_recall._parse_redact_path(path text, place integer) returns text[]
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_rest text;
  v_step text;
  v_steps text[] := array[]::text[];
begin
  begin
    v_rest := path::jsonpath::text;
  exception when others then
    raise exception using errcode = 'TR003',
      message = format('redact_paths[%s]: not an SQL/JSON path: %s', place, path),
      detail = sqlerrm;
  end;
  if left(v_rest, 1) is distinct from '$' then
    raise exception using errcode = 'TR003',
      message = format('redact_paths[%s]: a path begins with $, not: %s', place, path),
      hint = 'For instance $.members[*].email, or $.**.password at any depth.';
  end if;
  v_rest := substr(v_rest, 2);
  while v_rest <> '' loop
    v_step := substring(
      v_rest from '^(?:[.]\*\*?(?![*{])|\[\*\]|\[[0-9]+\]|[.]"(?:[^"\\]|\\.)*")' collate "C");
    if v_step is null then
      raise exception using errcode = 'TR003',
        message = format('redact_paths[%s]: a path to redact cannot hold %s', place, v_rest),
        hint = 'The steps are .key, ."a key", .*, [*], [n] and .** (at any depth); '
          'no filters, methods, ranges or variables.';
    end if;
    v_rest := substr(v_rest, length(v_step) + 1);
    if v_step like '."%' then
      v_step := '.=' || (substr(v_step, 2)::jsonb #>> '{}');
    end if;
    v_steps := v_steps || v_step;
  end loop;
  if cardinality(v_steps) > 60 then
    raise exception using errcode = 'TR003',
      message = format('redact_paths[%s]: more than 60 steps', place);
  end if;
  return v_steps;
end
$$;
comment on function tool_recall._parse_redact_path(text, integer) is
  'The steps of a path to redact: .=key, .*, .**, [*], [n]; TR003 where it is none';

-- All paths of a rule are searched for in one walk: each step, and each path's end, is a bit; the
-- bits that are set at a value say which steps may be taken from it. A search has 62 bits, so that
-- many or long paths make several.
create or replace function tool_recall._compile_redact_paths(redact_paths text[]) returns jsonb
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_empty constant jsonb := jsonb '{"start": 0, "end": 0, "deep": 0, "member": 0, "element": 0,
    "single": 0, "named": 0, "keys": {}, "places": {}}';
  v_searches jsonb := jsonb '[]';
  v_search jsonb := v_empty;
  v_bits integer := 0;
  v_steps text[];
  v_step text;
begin
  for i in 1..cardinality(redact_paths) loop
    v_steps := tool_recall._parse_redact_path(redact_paths[i], i);
    if v_bits + cardinality(v_steps) + 1 > 62 then
      v_searches := v_searches || v_search;
      v_search := v_empty;
      v_bits := 0;
    end if;
    v_search := tool_recall._set_bit(v_search, array['start'], v_bits);
    foreach v_step in array v_steps loop
      if v_step = '.**' then
        v_search := tool_recall._set_bit(v_search, array['deep'], v_bits);
      elsif v_step = '.*' then
        v_search := tool_recall._set_bit(v_search, array['member'], v_bits);
      elsif v_step = '[*]' then
        v_search := tool_recall._set_bit(v_search, array['element'], v_bits);
      elsif left(v_step, 1) = '.' then
        v_search := tool_recall._set_bit(v_search, array['keys', substr(v_step, 3)], v_bits);
      else
        v_search := tool_recall._set_bit(v_search, array['places', btrim(v_step, '[]')], v_bits);
      end if;
      -- As SQL/JSON is lax: a value that is no list is a list of itself, and a key is sought in
      -- each element of a list.
      if v_step in ('[*]', '[0]') then
        v_search := tool_recall._set_bit(v_search, array['single'], v_bits);
      elsif left(v_step, 1) = '.' and v_step <> '.**' then
        v_search := tool_recall._set_bit(v_search, array['named'], v_bits);
      end if;
      v_bits := v_bits + 1;
    end loop;
    v_search := tool_recall._set_bit(v_search, array['end'], v_bits);
    v_bits := v_bits + 1;
  end loop;
  return case when v_bits = 0 then jsonb '[]' else v_searches || v_search end;
end
$$;
comment on function tool_recall._compile_redact_paths(text[]) is
  'The searches for a rule''s paths, as sets of bits; TR003 for a path that is none';

create or replace function tool_recall._set_bit(search jsonb, place text[], number integer)
returns jsonb
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
begin
  return jsonb_set(
    search, place, to_jsonb(coalesce((search #>> place)::bigint, 0) | (1::bigint << number)));
end
$$;
comment on function tool_recall._set_bit(jsonb, text[], integer) is
  'The search with one more bit in one of its sets';
