create or replace function tool_recall._number(value jsonb) returns numeric
language sql immutable parallel safe
return case when jsonb_typeof(value) = 'number' then value::numeric end;
comment on function tool_recall._number(jsonb) is 'The value as a number, null where it is none';

create or replace function tool_recall._extreme(items jsonb, want_max boolean) returns jsonb
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  v_number numeric;
  v_text text;
begin
  select
    case
      when want_max then max(tool_recall._number(e.value))
      else min(tool_recall._number(e.value))
    end,
    case
      when want_max
        then max(e.value #>> '{}' collate "C") filter (where jsonb_typeof(e.value) = 'string')
      else min(e.value #>> '{}' collate "C") filter (where jsonb_typeof(e.value) = 'string')
    end
  into v_number, v_text
  from jsonb_array_elements(items) as e;
  if v_number is not null and v_text is not null then
    return null;
  end if;
  return coalesce(to_jsonb(v_number), to_jsonb(v_text));
end
$$;
comment on function tool_recall._extreme(jsonb, boolean) is
  'The greatest or least of an array''s numbers, or of its texts by code point; null where it has'
  ' both, since neither is the greatest of all';

create or replace function tool_recall._change(items jsonb) returns text
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  v_first numeric := tool_recall._number(items -> 0);
  v_last numeric := tool_recall._number(items -> -1);
  v_percent numeric;
begin
  if v_first is null or v_last is null then
    raise exception using errcode = '22000', message = 'change: no numbers';
  end if;
  if v_first = 0 then
    return null;
  end if;
  -- round() of numeric rounds half away from zero.
  v_percent := round((v_last - v_first) * 100 / abs(v_first));
  return case when v_percent > 0 then '+' else '' end || tool_recall._number_text(v_percent) || '%';
end
$$;
comment on function tool_recall._change(jsonb) is
  'Signed percent change from an array''s first to its last number, rounded half away from zero; '
  'null where the first is zero; raises where either is no number';

create or replace function tool_recall._evaluate(
  placeholder jsonb, tool_input jsonb, tool_output jsonb
) returns jsonb
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  v_function text := placeholder ->> 'function';
  v_path text := placeholder #>> '{paths,0}';
  v_items jsonb;
begin
  if v_function = 'count' then
    -- Strict, so that a list that is not there is no list of none.
    if v_path !~ '^(strict|lax)\s' collate "C" then
      v_path := 'strict ' || v_path;
    end if;
    return to_jsonb(jsonb_array_length(jsonb_path_query_array(tool_output, v_path::jsonpath)));
  end if;
  v_items := jsonb_path_query_array(
    case v_function when 'input' then tool_input else tool_output end, v_path::jsonpath);
  return case v_function
    when 'first' then v_items -> 0
    when 'input' then v_items -> 0
    when 'last' then v_items -> -1
    when 'min' then tool_recall._extreme(v_items, false)
    when 'max' then tool_recall._extreme(v_items, true)
    when 'sum' then (
      -- None where some are no numbers: a part would read as the whole.
      select case
        when bool_and(jsonb_typeof(e.value) in ('number', 'null'))
          then to_jsonb(sum(tool_recall._number(e.value)))
      end
      from jsonb_array_elements(v_items) as e
    )
    when 'change' then coalesce(to_jsonb(tool_recall._change(v_items)), '""')
    when 'top' then (
      select jsonb_path_query_first(e.value, (placeholder #>> '{paths,2}')::jsonpath)
      from jsonb_array_elements(v_items) with ordinality as e (value, place)
        cross join lateral (
          select tool_recall._number(
            jsonb_path_query_first(e.value, (placeholder #>> '{paths,1}')::jsonpath)) as height
        ) as h
      where h.height is not null
      order by h.height desc, e.place
      limit 1
    )
  end;
end
$$;
comment on function tool_recall._evaluate(jsonb, jsonb, jsonb) is
  'The value that a placeholder stands for; null where there is none, "" where it is to be left '
  'out';

create or replace function tool_recall._show(value jsonb, form text, quote_free_text boolean)
returns text
language sql stable parallel safe
return case
  when form = 'date' then case
    when jsonb_typeof(value) = 'string' then tool_recall._iso_day(value #>> '{}')
  end
  when form = 'plain' and quote_free_text and jsonb_typeof(value) = 'string'
    then tool_recall._plain_text(value #>> '{}')
  -- Not masked: the rule asks for this field.
  when quote_free_text and jsonb_typeof(value) = 'string'
    then tool_recall._quote_text(value #>> '{}', 40)
  when jsonb_typeof(value) in ('string', 'number', 'boolean')
    then tool_recall._render_value(value, quote_free_text)
end;
comment on function tool_recall._show(jsonb, text, boolean) is
  'A value in a placeholder''s form: json (texts quoted), plain or date; null where it has none';

create or replace function tool_recall._apply_rule(
  segments jsonb, tool_input jsonb, tool_output jsonb, quote_free_text boolean
) returns text
language plpgsql stable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  v_summary text := '';
  v_segment jsonb;
  v_value jsonb;
  v_text text;
begin
  for i in 0..jsonb_array_length(segments) - 1 loop
    v_segment := segments -> i;
    if jsonb_typeof(v_segment) = 'string' then
      -- Double quotes are for texts alone: within the template's own a text would read as bare.
      v_summary := v_summary || replace(v_segment #>> '{}', '"', '''');
      continue;
    end if;
    v_value := tool_recall._evaluate(v_segment, tool_input, tool_output);
    if v_value = '""' and v_segment ->> 'function' = 'change' then
      v_summary := regexp_replace(v_summary, '[ ,;:]+$' collate "C", '');
      continue;
    end if;
    if v_segment ->> 'function' = 'change' then
      v_text := v_value #>> '{}';
    else
      v_text := tool_recall._show(v_value, v_segment ->> 'form', quote_free_text);
    end if;
    if v_text is null then
      return null;
    end if;
    v_summary := v_summary || v_text;
  end loop;
  return nullif(btrim(v_summary), '');
end
$$;
comment on function tool_recall._apply_rule(jsonb, jsonb, jsonb, boolean) is
  'The summary that a parsed template gives; null where any placeholder finds nothing that it can'
  ' show. May raise on an odd output: the caller falls back to the generic summary';
