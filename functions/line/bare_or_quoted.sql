create or replace function tool_recall._bare_or_quoted(
  name text, quote_free_text boolean, bare boolean default true
) returns text
language sql immutable parallel safe
return case
  when bare and name ~ '^[A-Za-z0-9_.:/-]{1,64}$' collate "C"
    and tool_recall._is_public_name(name) then name
  when quote_free_text then tool_recall._quote_masked(name, 40)
  else '"' || chr(8230) || '"'
end;
comment on function tool_recall._bare_or_quoted(text, boolean, boolean) is
  'A tool''s or argument''s name: bare where that is allowed and it is plain, else quoted, or '
  '"..." where free text may not be shown';
