create or replace function tool_recall._number_text(value numeric) returns text
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  v_text text := value::text;
  v_exponent integer;
  v_digits text;
begin
  if length(v_text) <= 24 then
    return v_text;
  end if;
  v_text := trim_scale(round(value, 6))::text;
  if length(v_text) <= 24 and v_text <> '0' then
    return v_text;
  end if;
  -- Built from the digits: to_char's EEEE stops at three digits of exponent.
  if abs(value) >= 1 then
    v_exponent := length(trunc(abs(value))::text) - 1;
  else
    v_digits := substr(abs(value)::text, 3);
    v_exponent := length(ltrim(v_digits, '0')) - length(v_digits) - 1;
  end if;
  v_digits := rpad(replace(ltrim(round(abs(value), 3 - v_exponent)::text, '0.'), '.', ''), 4, '0');
  return case when value < 0 then '-' else '' end
    || left(v_digits, 1) || '.' || substr(v_digits, 2, 3)
    || case when v_exponent < 0 then 'e-' else 'e+' end || abs(v_exponent);
end
$$;
comment on function tool_recall._number_text(numeric) is
  'The number in full up to 24 characters, else rounded to 6 decimals or to four digits and the '
  'exponent: never cut to what would read as another number';
