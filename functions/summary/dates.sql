create or replace function tool_recall._tells_a_time(key text) returns boolean
language sql immutable parallel safe
return key ~ (
  '(^|[^a-z])(ts|t|at|on)$|[a-z](At|On)$|[Tt]ime|[Dd]ate|[Cc]reated|[Uu]pdated|[Mm]odified|[Ee]poch'
  '|[Ee]xpir|[Ss]tart|[Ee]nd$|[Dd]ay$|[Bb]irth|[Dd]ue$|[Pp]ublished') collate "C";
comment on function tool_recall._tells_a_time(text) is
  'Whether the name of a field says that its number counts seconds since 1970';

create or replace function tool_recall._epoch_day(value jsonb) returns text
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  v_number numeric;
begin
  if jsonb_typeof(value) = 'number' then
    v_number := value::numeric;
  elsif value #>> '{}' ~ '^[0-9]{10}([.][0-9]{1,9}|[0-9]{3})?$' collate "C" then
    v_number := (value #>> '{}')::numeric;
  end if;
  -- From 1990 to 2100, so that counts and prices are not taken for times: seconds or milliseconds.
  if v_number between 631152000000 and 4102444800000 then
    v_number := v_number / 1000;
  elsif v_number not between 631152000 and 4102444800 then
    return null;
  end if;
  return to_char(timestamp '1970-01-01' + floor(v_number / 86400)::integer * interval '1 day',
    'YYYY-MM-DD');
end
$$;
comment on function tool_recall._epoch_day(jsonb) is
  'The UTC day (YYYY-MM-DD) of seconds or milliseconds since 1970; null of any other value';

create or replace function tool_recall._moment_day(key text, value jsonb) returns text
language sql stable parallel safe
return case
  when jsonb_typeof(value) = 'string' and value #>> '{}' ~ '^[0-9]{4}-' collate "C"
    then tool_recall._iso_day(value #>> '{}')
  when jsonb_typeof(value) in ('number', 'string')
    and value #>> '{}' ~ '^[0-9]{9,13}([.][0-9]+)?$' collate "C"
    and tool_recall._tells_a_time(key)
    then tool_recall._epoch_day(value)
end;
comment on function tool_recall._moment_day(text, jsonb) is
  'The UTC day that a field holds: an ISO 8601 date or timestamp, or under a telling name seconds '
  'or milliseconds since 1970; else null';

create or replace function tool_recall._date_rank(key text) returns integer
language sql immutable parallel safe
return case
  when key ~ '([Ee]xpir|[Dd]ue|[Uu]ntil|[Dd]eadline|[Bb]irth|[Nn]ext|[Ee]nd)' collate "C" then 2
  when key ~ (
    '([Cc]reat|[Uu]pdat|[Rr]egist|[Mm]odif|[Pp]ublish|[Dd]ate|[Tt]ime|_at$|At$|On$)' collate "C")
    then 0
  else 1
end;
comment on function tool_recall._date_rank(text) is
  '0 for a field whose name says that it happened, 2 for one that may lie ahead, else 1';

create or replace function tool_recall._date_key(item jsonb) returns text
language plpgsql stable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  -- A cheap look first: most rows have no field, or one, that can be a date; else seconds.
  v_pairs jsonb := jsonb_path_query_array(
    item, '$.keyvalue() ? (@.value starts with "20" || @.value starts with "19")');
  v_key text;
  v_best text;
  v_best_rank integer := 3;
begin
  if v_pairs = '[]' then
    v_pairs := jsonb_path_query_array(
      item, '$.keyvalue() ? (@.value > 631152000 || @.value starts with "1")');
  end if;
  for i in 0..jsonb_array_length(v_pairs) - 1 loop
    v_key := v_pairs -> i ->> 'key';
    continue when tool_recall._moment_day(v_key, v_pairs -> i -> 'value') is null
      or not tool_recall._is_noun(v_key);
    if jsonb_array_length(v_pairs) = 1 then
      return v_key;
    end if;
    continue when tool_recall._date_rank(v_key) >= v_best_rank;
    v_best := v_key;
    v_best_rank := tool_recall._date_rank(v_key);
  end loop;
  return v_best;
end
$$;
comment on function tool_recall._date_key(jsonb) is
  'The field of a list''s row that tells most of when: of those that hold a date (or, where no '
  'text can be one, a number of seconds) the first of the lowest rank; null where there is none. '
  'The row is an object';

create or replace function tool_recall._newest_day(items jsonb, key text) returns text
language plpgsql stable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  v_newest text;
  v_uniform boolean;
begin
  -- Days, or timestamps in UTC, of one length sort as texts; others are brought to their UTC day
  -- first.
  select
    max(d.moment collate "C"),
    min(length(d.moment)) = max(length(d.moment))
    and (bool_and(d.moment like '____-%Z') or max(length(d.moment)) = 10)
  into v_newest, v_uniform
  from (
    -- offset 0: looked up once a row.
    select e.value ->> _newest_day.key as moment from jsonb_array_elements(items) as e offset 0
  ) as d;
  v_newest := tool_recall._iso_day(v_newest);
  if v_newest is null or not v_uniform then
    v_newest := (
      select max(tool_recall._moment_day(_newest_day.key, e.value -> _newest_day.key) collate "C")
      from jsonb_array_elements(items) as e
    );
  end if;
  return v_newest;
end
$$;
comment on function tool_recall._newest_day(jsonb, text) is
  'The newest UTC day that a field of a list''s rows holds';
