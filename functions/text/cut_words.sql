create or replace function tool_recall._cut_words(value text, max_chars integer) returns text
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  v_text text;
begin
  if length(value) <= max_chars then
    return value;
  end if;
  v_text := left(value, max_chars - 1);
  -- Not within a run of ASCII that is no space: half an id, number or date would be read as a whole
  -- one.
  if substr(value, max_chars, 1) ~ '[!-~]' collate "C" then
    v_text := regexp_replace(v_text, '[!-~]+$' collate "C", '');
  end if;
  return rtrim(v_text, ' ') || chr(8230);
end
$$;
comment on function tool_recall._cut_words(text, integer) is
  'The text within max_chars characters, cut at a word and ended by an ellipsis where it is '
  'longer; nothing but the ellipsis where its first word alone is longer, as ids are';
