create or replace function tool_recall._clean_unicode(value text) returns text
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  v_text text;
begin
  if value !~ '[^ -~]' collate "C" then
    return btrim(regexp_replace(value, ' {2,}' collate "C", ' ', 'g'), ' ');
  end if;
  -- Replaced first: what a newer Unicode assigns, a newer server would normalize in another way.
  v_text := regexp_replace(value, tool_recall._unknown_characters() collate "C", chr(65533), 'g');
  -- Then what is invisible, so that a mark and its letter meet before they are normalized.
  v_text := regexp_replace(v_text, tool_recall._invisible_characters() collate "C", '', 'g');
  v_text := normalize(v_text, nfkc);
  -- The escapes of < and > end in c and e, with which a mark after them would be composed wherever
  -- the block is normalized again.
  if replace(replace(v_text, '<', 'c'), '>', 'e') is not nfc normalized then
    v_text := replace(replace(v_text, '<', '< '), '>', '> ');
  end if;
  v_text := regexp_replace(v_text, (tool_recall._space_characters() || '+') collate "C", ' ', 'g');
  return btrim(v_text, ' ');
end
$$;
comment on function tool_recall._clean_unicode(text) is
  'What _clean_text does where it has work to do';

create or replace function tool_recall._clean_text(value text) returns text
language sql immutable parallel safe
return case
  -- Most texts: visible ASCII with single spaces.
  when value ~ '^[!-~]+( [!-~]+)*$' collate "C" then value
  else tool_recall._clean_unicode(value)
end;
comment on function tool_recall._clean_text(text) is
  'The text on one line: NFKC, no control, bidirectional, zero-width, tag, private or unassigned '
  '(Unicode 13) characters, runs of space made one';
