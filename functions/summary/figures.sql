create or replace function tool_recall._is_noise(key text) returns boolean
language sql immutable parallel safe
return key ~ (
  '^_?(id|uuid|guid|key|hash|etag|cursor|token|object|type|kind|version|v|page|pages|limit|offset'
  '|per_page|pageSize|page_size|took|lang|locale|url|uri|href|link|self|next|previous|prev|code'
  '|statusCode|status_code|__typename|signature|mime_?[Tt]ype|media_type|format|encoding|x|y'
  '|lat|lng|lon|latitude|longitude|count|total'
  '|total_pages|totalPages|index|number|position|size|seq)$'
  '|_(id|ids|uuid|url|uri|hash|token|cursor|ms|key)$'
  '|[a-z](Id|Uuid|Url|Uri|Hash|Token|Cursor|Ms|Key)$'
  '|encrypted|elapsed|latency|duration|request') collate "C";
comment on function tool_recall._is_noise(text) is
  'Whether a field''s name says that it serves machines: ids, addresses, versions, paging, '
  'times of '
  'processing. Such a field is a figure only where there is no other';

create or replace function tool_recall._has_figure(value jsonb) returns boolean
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
begin
  return exists (
    select from jsonb_each(value) as e
    where jsonb_typeof(e.value) = 'number' and not tool_recall._is_noise(e.key)
  );
end
$$;
comment on function tool_recall._has_figure(jsonb) is
  'Whether an object has a number of its own that says something';

create or replace function tool_recall._figure_rank(key text, value jsonb) returns integer
language plpgsql stable parallel safe
set search_path = pg_catalog, pg_temp
as $$
begin
  case jsonb_typeof(value)
    when 'number' then
      return case
        when tool_recall._moment_day(key, value) is not null then 40
        when key in ('count', 'total') then 10
        when tool_recall._is_noise(key) then 80
        when key ~* (
          'amount|total|count|price|balance|cost|sum|revenue|value|available|quantity|qty|score'
          '|rate|percent|number|num_') collate "C" then 10
        else 20
      end;
    when 'boolean' then
      return case
        when key in ('success', 'ok', 'succeeded', 'done', 'cached', 'error') then 70
        else 50
      end;
    when 'string' then
      return case
        when value = '""' then null
        when tool_recall._moment_day(key, value) is not null then 40
        when tool_recall._is_secret_name(key) then null
        when tool_recall._is_noise(key) then case
          -- An id whole or not at all; an address of the web never.
          when length(value #>> '{}') <= 40 and value #>> '{}' !~ '://' collate "C" then 80 end
        when key = 'status' and lower(value #>> '{}' collate "C") in ('ok', 'success') then 70
        when key ~* (
          '^(status|state|name|title|label|result|answer|summary|value|conditions?|message'
          '|description|text|decision|amount|total|price|balance)$'
          '|(status|state|name|title|amount)$'
          ) collate "C" then 30
        -- One long word is an encoding, not a text.
        when value #>> '{}' ~ '[^ ]{41}|://' collate "C" then null
        else 60
      end;
    else
      return null;
  end case;
end
$$;
comment on function tool_recall._figure_rank(text, jsonb) is
  'How early a field of an object is shown: numbers that telling names call amounts or counts, '
  'other numbers, a status or name, dates, truth values, other texts, then that all went well, then'
  ' ids; null for what is never shown';

create or replace function tool_recall._figure(key text, value jsonb, quote_free_text boolean)
returns text
language sql stable parallel safe
return key || ' ' || coalesce(
  tool_recall._moment_day(key, value), tool_recall._render_value(value, quote_free_text));
comment on function tool_recall._figure(text, jsonb, boolean) is
  'A field as its key and its value; of a moment the UTC day';

create or replace function tool_recall._figures(
  value jsonb, quote_free_text boolean, last_rank integer
) returns text[]
language plpgsql stable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  -- [{"key": ..., "value": ...}, ...] of the object, then of the objects in it; the numbers, which
  -- mostly are what is shown, before the rest.
  v_outer jsonb :=
    jsonb_path_query_array(value, 'strict $.keyvalue() ? (@.value.type() == "number")')
    || jsonb_path_query_array(value, 'strict $.keyvalue() ? (@.value.type() != "number" '
      '&& @.value.type() != "array" && @.value.type() != "null")');
  v_pairs jsonb := v_outer;
  v_key text;
  v_value jsonb;
  v_rank integer;
  v_ranks integer[] := array[99, 99];
  v_figures text[] := array[null, null]::text[];
begin
  if jsonb_path_exists(value, 'strict $.* ? (@.type() == "object")') then
    v_pairs := v_outer || jsonb_path_query_array(v_outer,
      '$[*].value ? (@.type() == "object").keyvalue()');
  end if;
  for i in 0..jsonb_array_length(v_pairs) - 1 loop
    v_key := v_pairs -> i ->> 'key';
    v_value := v_pairs -> i -> 'value';
    -- No text or truth value comes before a number.
    continue when v_ranks[2] <= 20 and jsonb_typeof(v_value) <> 'number';
    v_rank := tool_recall._figure_rank(v_key, v_value);
    -- Ids of parts, and that a part went well, say nothing of the whole.
    continue when v_rank is null or v_rank > last_rank or v_rank >= v_ranks[2]
      or v_rank >= 70 and i >= jsonb_array_length(v_outer)
      or not tool_recall._is_noun(v_key);
    if jsonb_typeof(v_value) = 'string' and v_rank <> 40 then
      continue when not quote_free_text or tool_recall._is_private(v_value #>> '{}');
    end if;
    if v_rank < v_ranks[1] then
      v_ranks := array[v_rank, v_ranks[1]];
      v_figures := array[tool_recall._figure(v_key, v_value, quote_free_text), v_figures[1]];
    else
      v_ranks[2] := v_rank;
      v_figures[2] := tool_recall._figure(v_key, v_value, quote_free_text);
    end if;
  end loop;
  return array_remove(v_figures, null);
end
$$;
comment on function tool_recall._figures(jsonb, boolean, integer) is
  'The one or two fields of an object, or of the objects in it, that matter most; ranks, of which '
  'those after last_rank do not count, are in _figure_rank, and of one rank the outer and '
  'the first '
  'go first';

create or replace function tool_recall._amount_beside(value jsonb) returns text
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  v_key text;
begin
  foreach v_key in array array[
    'balance', 'amount', 'total', 'revenue', 'cost', 'price', 'amount_due', 'amount_total',
    'total_amount', 'grand_total', 'total_price', 'total_cost', 'total_revenue'
  ] loop
    if jsonb_typeof(value -> v_key) = 'number'
      and (v_key <> 'total' or tool_recall._is_bill(value)) then
      return v_key || ' ' || tool_recall._number_text((value -> v_key)::numeric);
    end if;
  end loop;
  return null;
end
$$;
comment on function tool_recall._amount_beside(jsonb) is
  'The amount that a bill or an account names beside its list; null where it names none';

create or replace function tool_recall._names_an_amount(value jsonb) returns boolean
language sql immutable parallel safe
return value ?| array[
  'balance', 'amount', 'total', 'revenue', 'cost', 'price', 'amount_due', 'amount_total',
  'total_amount', 'grand_total', 'total_price', 'total_cost', 'total_revenue'
];
comment on function tool_recall._names_an_amount(jsonb) is
  'Whether _amount_beside may find something in an object: a cheap look first';

create or replace function tool_recall._object_summary(value jsonb, quote_free_text boolean)
returns text
language plpgsql stable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  v_figures text[] := tool_recall._figures(value, quote_free_text, 80);
  v_fields bigint;
begin
  if length(v_figures[1]) + length(v_figures[2]) > 116 then
    v_figures := v_figures[1:1];
  end if;
  if cardinality(v_figures) > 0 then
    return array_to_string(v_figures, ', ');
  end if;
  v_fields := (
    select count(*) from jsonb_each(value) as e where e.value not in ('null', '""', '{}', '[]'));
  return case v_fields
    when 0 then 'no result'
    when 1 then '1 field'
    else v_fields || ' fields'
  end;
end
$$;
comment on function tool_recall._object_summary(jsonb, boolean) is
  'An object in a line: the one or two figures that matter, with their keys; else how many fields '
  'it has';
