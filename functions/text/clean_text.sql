create or replace function tool_recall._clean_text(value text) returns text
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  v_text text := value;
begin
  if v_text !~ '[^ -~]' collate "C" then
    if v_text ~ '^ |  | $' collate "C" then
      v_text := btrim(regexp_replace(v_text, ' {2,}' collate "C", ' ', 'g'), ' ');
    end if;
    return v_text;
  end if;
  -- Replaced first: what a newer Unicode assigns, a newer server would normalize in another way.
  v_text := regexp_replace(v_text, tool_recall._unknown_characters() collate "C", U&'\FFFD', 'g');
  v_text := normalize(v_text, nfkc);
  v_text := regexp_replace(v_text, tool_recall._invisible_characters() collate "C", '', 'g');
  v_text := regexp_replace(
    v_text, tool_recall._space_characters() collate "C" || '+', ' ', 'g');
  return btrim(v_text, ' ');
end
$$;
comment on function tool_recall._clean_text(text) is
  'The text on one line: NFKC, no control, bidirectional, zero-width, tag, private or unassigned '
  '(Unicode 13) characters, runs of space made one';
