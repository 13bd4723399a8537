create or replace function tool_recall._render_value(
  value jsonb, quote_free_text boolean, depth integer default 0
) returns text
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
begin
  case jsonb_typeof(value)
    when 'string' then
      if quote_free_text or tool_recall._iso_day(value #>> '{}') is not null then
        return tool_recall._quote_text(value #>> '{}', 40);
      end if;
      return U&'"\2026"';
    when 'number' then
      return tool_recall._number_text(value::numeric);
    when 'object' then
      -- A line has room for no more than this; deeper or longer ones would not be shown anyway.
      if depth > 3 then
        return U&'\2026';
      end if;
      return (
        select '{' || coalesce(string_agg(
          tool_recall._quote_text(e.key, 40) || ': '
          || tool_recall._render_value(e.value, quote_free_text, depth + 1), ', ' order by e.place), '')
          || '}'
        from (
          select * from jsonb_each(value) with ordinality as x (key, value, place) limit 20
        ) as e
      );
    when 'array' then
      if depth > 3 then
        return U&'\2026';
      end if;
      return (
        select '[' || coalesce(string_agg(
          tool_recall._render_value(e.value, quote_free_text, depth + 1), ', ' order by e.place), '')
          || ']'
        from (
          select * from jsonb_array_elements(value) with ordinality as x (value, place) limit 20
        ) as e
      );
    else
      return value::text;
  end case;
end
$$;
comment on function tool_recall._render_value(jsonb, boolean, integer) is
  'A value of an input as JSON: its strings cleaned and cut at 40 characters, or "..." each where free '
  'text may not be shown (dates still are)';
