create or replace function tool_recall._quote_any_text(
  value text, max_chars integer, mask boolean
) returns text
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  -- A bound on the work: far more than a quote shows.
  v_most integer := 8 * max_chars;
  v_text text := tool_recall._clean_unicode(left(value, v_most));
begin
  if length(value) > v_most then
    -- The word that was divided here goes whole.
    v_text := regexp_replace(v_text, '[!-~]+$' collate "C", '') || chr(8230);
  end if;
  if mask then
    v_text := tool_recall._mask_private(v_text);
  end if;
  v_text := to_json(tool_recall._cut_words(v_text, max_chars))::text;
  return replace(replace(replace(v_text, '<', '\u003c'), '>', '\u003e'), '&', '\u0026');
end
$$;
comment on function tool_recall._quote_any_text(text, integer, boolean) is
  'What _quote_text and _quote_masked do where they have work to do';

create or replace function tool_recall._quote_text(value text, max_chars integer) returns text
language sql immutable parallel safe
return case
  -- Most texts: short, visible ASCII with single spaces, nothing to escape.
  when length(value) <= max_chars
    and value ~ '^[!#-%''-;=?-Z^-~\]\[]+( [!#-%''-;=?-Z^-~\]\[]+)*$' collate "C"
    then '"' || value || '"'
  else tool_recall._quote_any_text(value, max_chars, false)
end;
comment on function tool_recall._quote_text(text, integer) is
  'The text cleaned, cut to max_chars characters and put in JSON quotes, with <, > and & escaped';

create or replace function tool_recall._quote_masked(value text, max_chars integer) returns text
language sql immutable parallel safe
return case
  -- Most texts have no digit and no long word: an eighth of the hint's cost.
  when value ~ '^[A-Za-z_ ,.!?;''()/-]*$' collate "C"
    and value !~ '[A-Za-z]{16}|[_-][A-Za-z]{10}|earer |--' collate "C"
    then tool_recall._quote_text(value, max_chars)
  when value !~ (tool_recall._private_hint() collate "C")
    then tool_recall._quote_text(value, max_chars)
  else tool_recall._quote_any_text(value, max_chars, true)
end;
comment on function tool_recall._quote_masked(text, integer) is
  'What _quote_text makes of the text once _mask_private has masked it: for text that nobody asked '
  'for by name';

create or replace function tool_recall._plain_text(value text) returns text
language sql immutable parallel safe
return case
  when value ~ '^[A-Za-z0-9._''-]+( [A-Za-z0-9._''-]+)*$' collate "C" and length(value) <= 40
    then value
  else tool_recall._quote_text(value, 40)
end;
comment on function tool_recall._plain_text(text) is
  'The text bare, if it is at most 40 letters, digits (ASCII), spaces and -_.'' - else quoted';
