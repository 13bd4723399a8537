create or replace function tool_recall._render_any_value(
  value jsonb, quote_free_text boolean, depth integer
) returns text
language plpgsql stable parallel safe
set search_path = pg_catalog, pg_temp
as $$
begin
  case jsonb_typeof(value)
    when 'string' then
      if quote_free_text or tool_recall._iso_day(value #>> '{}') is not null then
        return tool_recall._quote_masked(value #>> '{}', 40);
      end if;
      return '"' || chr(8230) || '"';
    when 'number' then
      return tool_recall._number_text(value::numeric);
    when 'object' then
      -- A line has room for no more than this; deeper or longer ones would not be shown anyway.
      if depth > 3 then
        return chr(8230);
      end if;
      return (
        select '{' || coalesce(string_agg(case when e.place > 20 then chr(8230) else
          tool_recall._bare_or_quoted(e.key, quote_free_text, false) || ': '
          || tool_recall._render_any_value(
            e.value, quote_free_text and not tool_recall._is_secret_name(e.key), depth + 1)
          end, ', '), '') || '}'
        from jsonb_each(_render_any_value.value) with ordinality as e (key, value, place)
        where e.place <= 21
      );
    when 'array' then
      if depth > 3 then
        return chr(8230);
      end if;
      return (
        select '[' || coalesce(string_agg(case when e.place > 20 then chr(8230) else
          tool_recall._render_any_value(e.value, quote_free_text, depth + 1) end, ', '), '') || ']'
        from jsonb_array_elements(_render_any_value.value) with ordinality as e (value, place)
        where e.place <= 21
      );
    else
      return value::text;
  end case;
end
$$;
comment on function tool_recall._render_any_value(jsonb, boolean, integer) is
  'What _render_value does where it has work to do';

create or replace function tool_recall._render_value(value jsonb, quote_free_text boolean)
returns text
language sql stable parallel safe
return case
  -- Most arguments: a text that may be shown.
  when quote_free_text and jsonb_typeof(value) = 'string'
    then tool_recall._quote_masked(value #>> '{}', 40)
  else tool_recall._render_any_value(value, quote_free_text, 0)
end;
comment on function tool_recall._render_value(jsonb, boolean) is
  'A value as JSON for a line: texts cleaned and cut at 40 characters, or "..." where free text '
  'may not be shown (dates still are)';
