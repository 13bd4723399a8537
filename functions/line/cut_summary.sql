create or replace function tool_recall._cut_long_summary(summary text, max_bytes integer)
returns text
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  v_text text;
begin
  -- Four bytes are kept for the ellipsis and a closing quote.
  v_text := tool_recall._left_bytes(summary, max_bytes - 4);
  if substr(summary, length(v_text) + 1, 1) <> ' ' then
    -- Back to the last space, so that no word, number, id or escape is cut; a text without any is
    -- cut only where it is no ASCII.
    v_text := regexp_replace(v_text, '[!-~]*$' collate "C", '');
  end if;
  v_text := rtrim(v_text, ' ,;' || chr(8230));
  -- An odd number of quotes that are no escapes: the cut is inside one.
  if length(regexp_replace(
    regexp_replace(v_text, '\\.' collate "C", '', 'g'), '[^"]' collate "C", '', 'g')) % 2 = 1
  then
    return v_text || chr(8230) || '"';
  end if;
  return v_text || chr(8230);
end
$$;
comment on function tool_recall._cut_long_summary(text, integer) is
  'What _cut_summary does where it has work to do';

create or replace function tool_recall._cut_summary(summary text, max_bytes integer) returns text
language sql immutable parallel safe
return case
  when octet_length(summary) <= max_bytes then summary
  else tool_recall._cut_long_summary(summary, max_bytes)
end;
comment on function tool_recall._cut_summary(text, integer) is
  'The summary within max_bytes bytes, cut at a space and ended by an ellipsis, an open quote '
  'closed';
