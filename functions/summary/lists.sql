create or replace function tool_recall._bare_items(items jsonb) returns jsonb
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  v_key text;
begin
  -- Where services put the fields of an item one level down.
  select k.key into v_key
  from unnest(array['node', 'attributes', '_source', 'fields', 'properties'])
    with ordinality as k (key, place)
  where jsonb_typeof(items -> 0 -> k.key) = 'object'
  order by k.place
  limit 1;
  return case
    when v_key is null then items
    else jsonb_path_query_array(items, format('$[*].%s', to_json(v_key))::jsonpath)
  end;
end
$$;
comment on function tool_recall._bare_items(jsonb) is
  'The items of a list without their envelopes: node (GraphQL), attributes (JSON:API), _source '
  '(Elasticsearch), fields, properties';

create or replace function tool_recall._first_name(item jsonb) returns text
language plpgsql stable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  v_name text := coalesce(
    item ->> 'name', item ->> 'title', item ->> 'label', item ->> 'subject', item ->> 'headline',
    item ->> 'filename', item ->> 'file_name', item ->> 'displayName', item ->> 'display_name');
begin
  if v_name = '' or length(v_name) > 40 or tool_recall._is_private(v_name) then
    return null;
  end if;
  return tool_recall._quote_text(v_name, 40);
end
$$;
comment on function tool_recall._first_name(jsonb) is
  'What an item of a list is called, in quotes; null where it is not told, or is long or private';

create or replace function tool_recall._list_summary(
  items jsonb, of_total numeric, more boolean, key text, quote_free_text boolean
) returns text
language plpgsql stable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  v_amount integer := jsonb_array_length(items);
  v_noun text;
  v_count text;
  v_items jsonb;
  v_date text;
  v_name text;
  v_figures text[];
begin
  if jsonb_typeof(items -> 0) = 'array' then
    v_count := tool_recall._pairs_summary(items, key);
    if v_count is not null then
      return v_count;
    end if;
  end if;
  v_noun := case
    when items -> 0 ->> 'type' in ('search_result', 'web_search_result') then 'results'
    else tool_recall._list_noun(key)
  end;
  v_count := tool_recall._count_noun(v_amount, of_total, more, v_noun);
  if jsonb_typeof(items -> 0) is distinct from 'object' then
    return v_count;
  end if;
  v_items := items;
  if items -> 0 ?| array['node', 'attributes', '_source', 'fields', 'properties'] then
    v_items := tool_recall._bare_items(items);
    if jsonb_typeof(v_items -> 0) is distinct from 'object' then
      return v_count;
    end if;
  end if;
  if of_total is null and not more and (v_amount > 2 or v_amount = 2 and items -> 0 ?| array[
    'value', 'count', 'close', 'avg', 'y', 'v'
  ]) then
    v_name := tool_recall._points_summary(v_items, key);
    if v_name is not null then
      return v_name;
    end if;
  end if;
  -- The first row tells the field for all; the last where the first has none.
  v_date := tool_recall._date_key(v_items -> 0);
  if v_date is null and v_amount > 1 and jsonb_typeof(v_items -> -1) = 'object' then
    v_date := tool_recall._date_key(v_items -> -1);
  end if;
  if v_date is not null then
    return v_count || ', newest ' || v_date || ' ' || tool_recall._newest_day(v_items, v_date);
  end if;
  -- Of the only row what an object would say of itself, in numbers.
  if v_amount = 1 and of_total is null and not more then
    if jsonb_typeof(v_items #> '{0,values}') = 'array' then
      v_name := tool_recall._pairs_summary(v_items #> '{0,values}', 'values');
      if v_name is not null then
        return v_name;
      end if;
    end if;
    v_figures := tool_recall._figures(v_items -> 0, quote_free_text, 20);
    if length(v_count) + length(v_figures[1]) < 118 then
      return v_count || ', ' || v_figures[1];
    end if;
  end if;
  if quote_free_text then
    v_name := tool_recall._first_name(v_items -> 0);
    if v_name is not null then
      return v_count
        || case when v_amount = 1 and of_total is null then ', ' else ', first ' end || v_name;
    end if;
  end if;
  return v_count;
end
$$;
comment on function tool_recall._list_summary(jsonb, numeric, boolean, text, boolean) is
  'A list in a line: how many, out of how many, the newest date of the field that looks like one; '
  'else the figure of the only row, or the name of the first';

create or replace function tool_recall._longest_list(value jsonb) returns text
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  v_keys jsonb := jsonb_path_query_array(
    value, 'strict $.keyvalue() ? (@.value.type() == "array").key');
begin
  return case jsonb_array_length(v_keys)
    when 0 then null
    when 1 then v_keys ->> 0
    else (
      select e.key
      from jsonb_array_elements_text(v_keys) with ordinality as e (key, place)
      order by jsonb_array_length(_longest_list.value -> e.key) desc, e.place
      limit 1
    )
  end;
end
$$;
comment on function tool_recall._longest_list(jsonb) is
  'The key of an object''s longest list, and of those the first; null without any';
