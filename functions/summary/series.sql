create or replace function tool_recall._series_line(
  amount integer, noun text, key text, number_values jsonb, day text
) returns text
language plpgsql stable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  v_change text;
begin
  -- Gaps at the ends are no values.
  number_values := jsonb_path_query_array(number_values, '$[*] ? (@.type() == "number")');
  if jsonb_array_length(number_values) = 0 then
    return null;
  end if;
  v_change := tool_recall._change(number_values);
  return tool_recall._count_noun(amount, null, false, noun) || ', last '
    || case when tool_recall._is_noun(key) then key || ' ' else '' end
    || tool_recall._number_text((number_values -> -1)::numeric)
    || coalesce(' on ' || day, '')
    || coalesce(', ' || v_change, '');
end
$$;
comment on function tool_recall._series_line(integer, text, text, jsonb, text) is
  'A series in a line: how many points, the last value and its day, and the change from the first '
  'to the last; null where it has no numbers. The values are from the oldest on';

create or replace function tool_recall._value_key(item jsonb, date_key text) returns text
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
begin
  return (
    select e.key
    from jsonb_each(item) with ordinality as e (key, value, place)
    where jsonb_typeof(e.value) = 'number' and e.key <> date_key
      and not (tool_recall._is_noise(e.key) and e.key not in ('count', 'total', 'y', 'v'))
    order by array_position(
      array['value', 'count', 'total', 'close', 'amount', 'avg', 'y', 'v'], e.key), e.place
    limit 1
  );
end
$$;
comment on function tool_recall._value_key(jsonb, text) is
  'The field of a point that holds its value; null where there is none';

create or replace function tool_recall._points_summary(items jsonb, key text) returns text
language plpgsql stable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  v_amount integer := jsonb_array_length(items);
  v_first jsonb := items -> 0;
  v_date text;
  v_value text;
  v_values jsonb;
  v_from text;
  v_to text;
begin
  -- Under a name that says so, points may hold more than their time and one number.
  if v_amount < 2 or not (
    key in ('points', 'series', 'datapoints', 'data_points', 'dataPoints', 'history', 'trend',
      'values', 'samples', 'timeseries', 'time_series', 'buckets', 'candles', 'observations')
    or v_amount >= 3 and jsonb_array_length(jsonb_path_query_array(v_first, 'strict $.*')) = 2
  ) then
    return null;
  end if;
  v_date := tool_recall._date_key(v_first);
  v_value := tool_recall._value_key(v_first, v_date);
  if v_date is null or v_value is null or jsonb_typeof(items -> -1) <> 'object' then
    return null;
  end if;
  v_values := jsonb_path_query_array(items, format('$[*].%s', to_json(v_value))::jsonpath);
  v_from := v_first ->> v_date;
  v_to := items -> -1 ->> v_date;
  if v_from > v_to collate "C" then
    -- The newest comes first.
    v_values := (
      select jsonb_agg(e.value order by e.place desc)
      from jsonb_array_elements(v_values) with ordinality as e (value, place)
    );
    items := jsonb_build_array(items -> -1, v_first);
  end if;
  return tool_recall._series_line(
    v_amount, tool_recall._list_noun(key), v_value, v_values,
    tool_recall._moment_day(v_date, items -> -1 -> v_date));
end
$$;
comment on function tool_recall._points_summary(jsonb, text) is
  'A list of points in time, each with a time and a value, in a line; null where the list is none';

create or replace function tool_recall._pairs_summary(items jsonb, key text) returns text
language plpgsql stable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  v_from text;
  v_to text;
begin
  -- [[time, value], ...]; Prometheus writes its values as texts.
  if jsonb_array_length(items) < 2 or tool_recall._array_length(items -> 0) is distinct from 2
    or tool_recall._moment_day('time', items #> '{0,0}') is null
    or jsonb_typeof(items -> -1) <> 'array'
  then
    return null;
  end if;
  v_from := items #>> '{0,0}';
  v_to := items #>> '{-1,0}';
  if v_from > v_to collate "C" then
    -- The newest comes first.
    items := (
      select jsonb_agg(e.value order by e.place desc)
      from jsonb_array_elements(items) with ordinality as e (value, place)
    );
  end if;
  return tool_recall._series_line(
    jsonb_array_length(items), tool_recall._list_noun(key), null,
    (
      select jsonb_agg(coalesce(
        to_jsonb(tool_recall._number(e.value -> 1)),
        tool_recall._json_in_text(e.value ->> 1)) order by e.place)
      from jsonb_array_elements(items) with ordinality as e (value, place)
      where jsonb_typeof(e.value) = 'array'
    ),
    tool_recall._moment_day('time', items #> '{-1,0}'));
end
$$;
comment on function tool_recall._pairs_summary(jsonb, text) is
  'A list of pairs of a time and a value in a line; null where the list is none';

create or replace function tool_recall._arrays_summary(value jsonb) returns text
language plpgsql stable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  v_time text;
  v_times jsonb;
  v_value text;
  v_values jsonb;
begin
  select e.key, e.value into v_time, v_times
  from jsonb_each(value) with ordinality as e (key, value, place)
  where tool_recall._array_length(e.value) > 1
    and (e.key in ('labels', 'x', 't', 'index', 'categories')
      or e.key ~ (
        '([Dd]ate|[Tt]ime|[Dd]ay|[Ww]eek|[Mm]onth|[Yy]ear|[Hh]our|timestamp)s?$') collate "C")
    and jsonb_typeof(e.value -> 0) in ('string', 'number')
  order by e.place
  limit 1;
  if v_time is null then
    return null;
  end if;
  select e.key, e.value into v_value, v_values
  from jsonb_each(value) with ordinality as e (key, value, place)
  where e.key <> v_time
    and tool_recall._array_length(e.value) = jsonb_array_length(v_times)
    and jsonb_path_exists(e.value, '$[*] ? (@.type() == "number")')
    and not jsonb_path_exists(e.value, '$[*] ? (@.type() != "number" && @.type() != "null")')
  order by array_position(array['value', 'values', 'close', 'y', 'data'], e.key), e.place
  limit 1;
  if v_value is null then
    return null;
  end if;
  if (v_times ->> 0) > (v_times ->> -1) collate "C"
    and tool_recall._moment_day('time', v_times -> 0) is not null then
    v_values := (
      select jsonb_agg(e.value order by e.place desc)
      from jsonb_array_elements(v_values) with ordinality as e (value, place)
    );
    v_times := jsonb_build_array(v_times -> -1, v_times -> 0);
  end if;
  return tool_recall._series_line(
    jsonb_array_length(v_values), 'points', case v_value when 'data' then null else v_value end,
    v_values, tool_recall._moment_day('time', v_times -> -1));
end
$$;
comment on function tool_recall._arrays_summary(jsonb) is
  'Arrays side by side, one of times or labels, others of numbers, in a line; null where an object '
  'holds none';
