create or replace function tool_recall._quote_any_text(value text, max_chars integer) returns text
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
  v_text := to_json(tool_recall._cut_words(v_text, max_chars))::text;
  return replace(replace(replace(v_text, '<', '\u003c'), '>', '\u003e'), '&', '\u0026');
end
$$;
comment on function tool_recall._quote_any_text(text, integer) is
  'What _quote_text does where it has work to do';

create or replace function tool_recall._quote_text(value text, max_chars integer) returns text
language sql immutable parallel safe
return case
  -- Most texts: short, visible ASCII with single spaces, nothing to escape.
  when length(value) <= max_chars
    and value ~ '^[!#-%''-;=?-Z^-~\]\[]+( [!#-%''-;=?-Z^-~\]\[]+)*$' collate "C"
    then '"' || value || '"'
  else tool_recall._quote_any_text(value, max_chars)
end;
comment on function tool_recall._quote_text(text, integer) is
  'The text cleaned, cut to max_chars characters and put in JSON quotes, with <, > and & escaped';

create or replace function tool_recall._plain_text(value text) returns text
language sql immutable parallel safe
return case
  when value ~ '^[A-Za-z0-9._''-]+( [A-Za-z0-9._''-]+)*$' collate "C" and length(value) <= 40
    then value
  else tool_recall._quote_text(value, 40)
end;
comment on function tool_recall._plain_text(text) is
  'The text bare, if it is at most 40 letters, digits (ASCII), spaces and -_.'' - else quoted';
