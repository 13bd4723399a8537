create or replace function tool_recall._iso_day(value text) returns text
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  v_part text[];
  v_year integer;
  v_month integer;
  v_day integer;
  v_minutes integer;
begin
  if length(value) not between 10 and 40 then
    return null;
  end if;
  v_part := regexp_match(value, (
    '^([0-9]{4})-([0-9]{2})-([0-9]{2})'
    '(?:[Tt ]([0-9]{2}):([0-9]{2})(?::[0-9]{2}(?:[.,][0-9]+)?)? ?(Z|z|([+-])([0-9]{2}):?([0-9]{2})?)?)?$'
  ) collate "C");
  v_year := v_part[1]::integer;
  v_month := v_part[2]::integer;
  v_day := v_part[3]::integer;
  if v_year is null or v_year = 0 or v_month not between 1 and 12 or v_day < 1 or v_day > (case
    when v_month in (4, 6, 9, 11) then 30
    when v_month <> 2 then 31
    when v_year % 4 = 0 and (v_year % 100 <> 0 or v_year % 400 = 0) then 29
    else 28
  end)
  then
    return null;
  end if;
  if v_part[4]::integer > 24 or v_part[5]::integer > 59 then
    return null;
  end if;
  if v_part[7] is null then
    return v_part[1] || '-' || v_part[2] || '-' || v_part[3];
  end if;
  v_minutes := v_part[8]::integer * 60 + coalesce(v_part[9], '0')::integer;
  return to_char(
    make_timestamp(v_year, v_month, v_day, 0, 0, 0)
    + make_interval(mins => v_part[4]::integer * 60 + v_part[5]::integer
      + case v_part[7] when '+' then -v_minutes else v_minutes end),
    'YYYY-MM-DD');
end
$$;
comment on function tool_recall._iso_day(text) is
  'The UTC day (YYYY-MM-DD) of an ISO 8601 date or timestamp, null of any other text; a time without an '
  'offset is taken as UTC. Independent of TimeZone and DateStyle, and raises on nothing';
