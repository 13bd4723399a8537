create or replace function tool_recall._render_scalar(value jsonb, quote_free_text boolean) returns text
language sql stable parallel safe
return case jsonb_typeof(value)
  when 'string' then case
    when quote_free_text or tool_recall._iso_day(value #>> '{}') is not null
      then tool_recall._quote_text(value #>> '{}', 40)
    else U&'"\2026"'
  end
  when 'number' then case
    when length(value::text) <= 24 then value::text
    else tool_recall._number_text(value::numeric)
  end
  else value::text
end;
comment on function tool_recall._render_scalar(jsonb, boolean) is
  'A text, number, boolean or null as JSON: a text cleaned and cut at 40 characters, or "..." where free '
  'text may not be shown (dates still are)';

create or replace function tool_recall._render_nested(value jsonb, quote_free_text boolean, depth integer)
returns text
language plpgsql stable parallel safe
set search_path = pg_catalog, pg_temp
as $$
begin
  if jsonb_typeof(value) not in ('object', 'array') then
    return tool_recall._render_scalar(value, quote_free_text);
  end if;
  -- A line has room for no more than this; deeper or longer ones would not be shown anyway.
  if depth > 3 then
    return chr(8230);
  end if;
  if jsonb_typeof(value) = 'object' then
    return (
      select '{' || coalesce(string_agg(
        case when quote_free_text then tool_recall._quote_text(e.key, 40) else '"' || chr(8230) || '"' end || ': '
        || tool_recall._render_nested(e.value, quote_free_text, depth + 1), ', '), '') || '}'
      from (select * from jsonb_each(_render_nested.value) limit 20) as e
    );
  end if;
  return (
    select '[' || coalesce(string_agg(
      tool_recall._render_nested(e.value, quote_free_text, depth + 1), ', '), '') || ']'
    from (select * from jsonb_array_elements(_render_nested.value) limit 20) as e
  );
end
$$;
comment on function tool_recall._render_nested(jsonb, boolean, integer) is
  'An object or array of an input as JSON, its scalars as _render_scalar has them';

create or replace function tool_recall._render_value(value jsonb, quote_free_text boolean) returns text
language sql stable parallel safe
return case
  when jsonb_typeof(value) in ('object', 'array')
    then tool_recall._render_nested(value, quote_free_text, 0)
  else tool_recall._render_scalar(value, quote_free_text)
end;
comment on function tool_recall._render_value(jsonb, boolean) is 'A value of an input as JSON for a line';
