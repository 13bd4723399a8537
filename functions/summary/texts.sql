create or replace function tool_recall._rows_noun(amount bigint) returns text
language sql immutable parallel safe
return amount::text || case when amount = 1 then ' row' else ' rows' end;
comment on function tool_recall._rows_noun(bigint) is 'How many rows, in words';

create or replace function tool_recall._csv_summary(value text) returns text
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  -- Without quoted fields, in which commas and line breaks are text.
  v_lines text[] := string_to_array(rtrim(replace(regexp_replace(
    value, '"([^"]|"")*"' collate "C", 'q', 'g'), E'\r', ''), E'\n'), E'\n');
  v_delimiter text;
  v_columns integer;
begin
  foreach v_delimiter in array array[',', E'\t', ';'] loop
    v_columns := length(v_lines[1]) - length(replace(v_lines[1], v_delimiter, ''));
    continue when v_columns = 0
      -- A table, not prose: every line has as many fields, and the first has names.
      or cardinality(v_lines)
        < case when v_columns = 1 and value !~ '^"' collate "C" then 3 else 2 end
      or v_lines[1] !~ (
        '^([^,;.!?\t]{1,40}' || v_delimiter || ')+[^,;.!?\t]{1,40}$') collate "C"
      or cardinality(v_lines) < 3 and v_lines[1] ~ (v_delimiter || ' ') collate "C"
      or exists (
        select from unnest(v_lines) as l (line)
        where length(l.line) - length(replace(l.line, v_delimiter, '')) <> v_columns
      );
    return tool_recall._rows_noun(cardinality(v_lines) - 1);
  end loop;
  return null;
end
$$;
comment on function tool_recall._csv_summary(text) is
  'How many rows a text has that is a table with a line of names and commas, tabs or semicolons '
  'between its fields; null where it is none';

create or replace function tool_recall._markdown_summary(value text, quote_free_text boolean)
returns text
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  v_heading text := (regexp_match(
    value, E'(?:^|\n) {0,3}#{1,6} +([^\r\n]*[^#\r\n ])' collate "C"))[1];
  v_rows bigint;
begin
  if value ~ E'\n *[|]? *:?-{2,}:? *[|][-: |]*(\r?\n|$)' collate "C" then
    -- Lines of a table, but for its names and the rule below them.
    v_rows := (
      select count(*) filter (where l.line ~ '[|]' collate "C")
        - 2 * count(*) filter (where l.line ~ '^ *[|]? *:?-{2,}:? *[|][-: |]*$' collate "C")
      from unnest(string_to_array(replace(value, E'\r', ''), E'\n')) as l (line)
    );
  end if;
  if v_heading is not null and quote_free_text then
    v_heading := tool_recall._quote_masked(v_heading, 80);
  else
    v_heading := null;
  end if;
  return nullif(concat_ws(', ', v_heading, tool_recall._rows_noun(v_rows)), '');
end
$$;
comment on function tool_recall._markdown_summary(text, boolean) is
  'Of a text in Markdown the first heading, and how many rows its tables have; null where it has '
  'neither';

create or replace function tool_recall._decode_entities(value text) returns text
language sql immutable parallel safe
return replace(replace(replace(replace(replace(replace(
  value, '&nbsp;', ' '), '&lt;', '<'), '&gt;', '>'), '&quot;', '"'), '&#39;', ''''), '&amp;', '&');
comment on function tool_recall._decode_entities(text) is
  'The usual entities of HTML as characters';

create or replace function tool_recall._html_summary(value text, quote_free_text boolean)
returns text
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  -- The [\s\S]*? of other engines: this one's dot matches line breaks too.
  v_title text := (regexp_match(value, '<title[^>]*>(.*?)</title' collate "C", 'i'))[1];
  v_rows bigint;
begin
  v_title := coalesce(
    nullif(btrim(v_title, E' \t\r\n'), ''),
    (regexp_match(value, '<h[1-3][^>]*>(.*?)</h[1-3]' collate "C", 'i'))[1]);
  if v_title is not null then
    v_title := tool_recall._decode_entities(
      regexp_replace(v_title, '<[^>]*>' collate "C", '', 'g'));
    return case when quote_free_text
      then tool_recall._quote_masked(v_title, 100) else '"' || chr(8230) || '"' end;
  end if;
  v_rows := (select count(*) from regexp_matches(value, '<tr[ >]' collate "C", 'gi'));
  if v_rows > 0 then
    return tool_recall._rows_noun(v_rows);
  end if;
  value := regexp_replace(value,
    '<(script|style)[^>]*>.*?</(script|style)[^>]*>|<!--.*?-->' collate "C", ' ', 'gi');
  return case when quote_free_text
    then tool_recall._quote_masked(tool_recall._decode_entities(
      regexp_replace(value, '<[^>]*>' collate "C", ' ', 'g')), 100)
    else '"' || chr(8230) || '"' end;
end
$$;
comment on function tool_recall._html_summary(text, boolean) is
  'Of a page the title, else its first heading, else how many rows its tables have, else the start '
  'of its text';

create or replace function tool_recall._text_summary(value text, quote_free_text boolean)
returns text
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  -- A bound on the work. A table that goes on is not counted: half a count would be a wrong one.
  v_most integer := 262144;
  v_text text := left(value, v_most);
  v_summary text;
begin
  if v_text !~ '[!-~]' collate "C" and tool_recall._clean_text(left(v_text, 4000)) = '' then
    return 'no result';
  end if;
  if v_text ~* (
    '^\s*<(!--|(!doctype|html|head|body|table|div|h[1-6]|p|ul|ol|article|section|span)\M)'
    ) collate "C" then
    v_summary := tool_recall._html_summary(v_text, quote_free_text);
  elsif strpos(v_text, E'\n') > 0 and length(value) <= v_most then
    v_summary := tool_recall._csv_summary(v_text);
  end if;
  if v_summary is null and v_text ~ '#|-[|]|[|] *:?-' collate "C" then
    v_summary := tool_recall._markdown_summary(v_text, quote_free_text);
  end if;
  if v_summary is not null and v_summary <> '""' then
    return v_summary;
  end if;
  return case when quote_free_text
    then tool_recall._quote_masked(value, 100) else '"' || chr(8230) || '"' end;
end
$$;
comment on function tool_recall._text_summary(text, boolean) is
  'A text in a line: of tables the rows, of pages the title or heading, else its start in quotes';
