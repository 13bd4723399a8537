create or replace function tool_recall._quote_text(value text, max_chars integer) returns text
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  -- A bound on the work; 100 times what any quote shows.
  v_text text := tool_recall._clean_text(left(value, 4000));
begin
  if length(value) > 4000 then
    v_text := v_text || U&' \2026';
  end if;
  v_text := to_json(tool_recall._cut_words(v_text, max_chars))::text;
  if v_text ~ '[<>&]' collate "C" then
    v_text := replace(replace(replace(v_text, '<', '\u003c'), '>', '\u003e'), '&', '\u0026');
  end if;
  return v_text;
end
$$;
comment on function tool_recall._quote_text(text, integer) is
  'The text cleaned, cut to max_chars characters and put in JSON quotes, with <, > and & escaped';
