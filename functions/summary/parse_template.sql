create or replace function tool_recall._check_path(path text, place integer) returns void
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  -- Without its strings, so that nothing in quotes is taken for syntax.
  v_bare text := regexp_replace(path, '"([^"\\]|\\.)*"' collate "C", '""', 'g');
  v_method text;
begin
  if path = '' then
    raise exception using errcode = 'TR003',
      message = format('template, position %s: a path is missing', place);
  end if;
  if v_bare ~ 'like_regex' collate "C" or v_bare ~ '\$[A-Za-z_"]' collate "C" then
    raise exception using errcode = 'TR003',
      message = format('template, position %s: like_regex and variables are not supported in %s',
        place, path);
  end if;
  select m[1] into v_method
  from regexp_matches(v_bare, '\.\s*([A-Za-z_]+)\s*\(' collate "C", 'g') as m
  where m[1] not in ('type', 'size', 'double', 'ceiling', 'floor', 'abs', 'keyvalue')
  limit 1;
  if v_method is not null then
    raise exception using errcode = 'TR003',
      message = format('template, position %s: method .%s() is not supported in %s',
        place, v_method, path),
      hint = 'PostgreSQL 14 knows .type(), .size(), .double(), .ceiling(), .floor(), .abs() and '
        '.keyvalue().';
  end if;
  begin
    perform path::jsonpath;
  exception when others then
    raise exception using errcode = 'TR003',
      message = format('template, position %s: not an SQL/JSON path: %s', place, path),
      detail = sqlerrm;
  end;
end
$$;
comment on function tool_recall._check_path(text, integer) is
  'Refuses (TR003) a path that is none, or that servers from 14 to 18 would not all read alike';

create or replace function tool_recall._split_paths(arguments text) returns text[]
language plpgsql immutable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_paths text[] := array[]::text[];
  v_start integer := 1;
  v_depth integer := 0;
  v_quoted boolean := false;
  v_char text;
  i integer := 1;
begin
  while i <= length(arguments) loop
    v_char := substr(arguments, i, 1);
    if v_quoted then
      if v_char = '\' then
        i := i + 1;
      elsif v_char = '"' then
        v_quoted := false;
      end if;
    elsif v_char = '"' then
      v_quoted := true;
    elsif v_char in ('(', '[') then
      v_depth := v_depth + 1;
    elsif v_char in (')', ']') then
      v_depth := v_depth - 1;
    elsif v_char = ',' and v_depth = 0 then
      v_paths := v_paths || btrim(substr(arguments, v_start, i - v_start));
      v_start := i + 1;
    end if;
    i := i + 1;
  end loop;
  return v_paths || btrim(substr(arguments, v_start));
end
$$;
comment on function tool_recall._split_paths(text) is
  'The paths between commas that stand in no quotes, parentheses or brackets';

create or replace function tool_recall._parse_placeholder(body text, place integer) returns jsonb
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_match text[] := regexp_match(
    body, '^\s*(?:([a-z]+)\s*:)?\s*([a-z]+)\s*\((.*)\)\s*$' collate "C");
  v_paths text[];
  v_expected integer;
  v_path text;
begin
  if v_match is null then
    raise exception using errcode = 'TR003',
      message = format('template, position %s: not a placeholder: {%s}', place, body),
      hint = 'Write {function(path)} or {form:function(path)}; a brace that is text is doubled.';
  end if;
  if v_match[1] is not null and v_match[1] not in ('plain', 'date') then
    raise exception using errcode = 'TR003',
      message = format('template, position %s: unknown form "%s"', place, v_match[1]),
      hint = 'The forms are plain and date.';
  end if;
  v_expected := case
    when v_match[2] in ('count', 'first', 'last', 'min', 'max', 'sum', 'change', 'input') then 1
    when v_match[2] = 'top' then 3
  end;
  if v_expected is null then
    raise exception using errcode = 'TR003',
      message = format('template, position %s: unknown function "%s"', place, v_match[2]),
      hint = 'The functions are count, first, last, min, max, sum, change, top and input.';
  end if;
  v_paths := tool_recall._split_paths(v_match[3]);
  if cardinality(v_paths) <> v_expected then
    raise exception using errcode = 'TR003',
      message = format('template, position %s: %s takes %s path(s), not %s',
        place, v_match[2], v_expected, cardinality(v_paths));
  end if;
  foreach v_path in array v_paths loop
    perform tool_recall._check_path(v_path, place);
  end loop;
  return jsonb_build_object(
    'form', coalesce(v_match[1], 'json'), 'function', v_match[2], 'paths', to_jsonb(v_paths));
end
$$;
comment on function tool_recall._parse_placeholder(text, integer) is
  'A placeholder without its braces as {form, function, paths}; TR003 with its place where it is '
  'none';

create or replace function tool_recall._parse_template(template text) returns jsonb
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_segments jsonb := jsonb '[]';
  v_literal text := '';
  v_start integer := 0;
  v_quoted boolean := false;
  v_char text;
  v_clean text;
  i integer := 1;
begin
  if btrim(template) = '' then
    raise exception using errcode = 'TR003', message = 'template, position 1: it is empty',
      hint = 'Null, not an empty template, keeps a tool out of the block.';
  end if;
  v_clean := tool_recall._clean_text(template);
  if v_clean <> template then
    raise exception using errcode = 'TR003',
      message = format('template, position %s: line breaks, control and invisible characters, '
        'double spaces and space at either end are not supported', (
          select min(p.place)
          from generate_series(1, length(template)) as p (place)
          where substr(template, p.place, 1)
            is distinct from nullif(substr(v_clean, p.place, 1), '')
        )),
      hint = 'Write it on one line, in NFKC.';
  end if;
  while i <= length(template) loop
    v_char := substr(template, i, 1);
    if v_start = 0 then
      if v_char in ('{', '}') and substr(template, i + 1, 1) = v_char then
        v_literal := v_literal || v_char;
        i := i + 1;
      elsif v_char = '{' then
        v_start := i;
      elsif v_char = '}' then
        raise exception using errcode = 'TR003',
          message = format('template, position %s: } without {', i),
          hint = 'A brace that is text is doubled.';
      else
        v_literal := v_literal || v_char;
      end if;
    elsif v_quoted then
      if v_char = '\' then
        i := i + 1;
      elsif v_char = '"' then
        v_quoted := false;
      end if;
    elsif v_char = '"' then
      v_quoted := true;
    elsif v_char = '}' then
      v_segments := v_segments
        || jsonb_build_array(v_literal)
        || jsonb_build_array(
          tool_recall._parse_placeholder(substr(template, v_start + 1, i - v_start - 1), v_start));
      v_literal := '';
      v_start := 0;
    end if;
    i := i + 1;
  end loop;
  if v_start > 0 then
    raise exception using errcode = 'TR003',
      message = format('template, position %s: { without }', v_start),
      hint = 'A brace that is text is doubled.';
  end if;
  return v_segments || jsonb_build_array(v_literal);
end
$$;
comment on function tool_recall._parse_template(text) is
  'A template as an array in which literal text and placeholders alternate; TR003 with the '
  'position where it does not parse';
