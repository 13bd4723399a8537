\ir ../setup.psql
select plan(5);
-- Texts of one to four bytes a character, of each length, everywhere a line shows one.
select tool_recall.set_summary_rule(
  'ruled', '{first($.text)} and {first($.text)} and {first($.text)}'
);
set local role recall_app;

create temporary table lines as
select pg_temp.line(
  t.tool_name,
  jsonb_build_object('q', w.value, w.value, 1, 'z', jsonb_build_array(w.value, w.value)),
  jsonb_build_object('text', w.value, 'other', w.value)
) as line
from generate_series(0, 100) as n
  cross join (values
    ('x '), ('"'), ('\'), ('<'), (U&'\00E9'), (U&'\65E5'), (U&'\65E5 '), (U&'\+01F600'), (U&'\FDFA')
  ) as c (unit)
  cross join lateral left(repeat(c.unit, n), 200) as w (value)
  cross join lateral (values ('ruled'), ('generic'), ('n' || w.value)) as t (tool_name)
where length(t.tool_name) <= 128;

select cmp_ok(
  (select max(octet_length(l.line)) from lines as l), '<=', 180, 'no line is longer than 180 bytes'
);
select cmp_ok(
  (select max(octet_length(l.line)) from lines as l), '>', 170, 'though some come near'
);
select is_empty(
  $$
    select line from lines
    where line !~ '^- 2026-05-12 ([A-Za-z0-9_.:/-]{1,64}|"([^"\\]|\\.)*")\(.*\): .+$'
  $$,
  'each has its day, its tool, its parentheses and a summary'
);
select is_empty(
  $$
    select line from lines
    where length(regexp_replace(regexp_replace(line, '\\.', '', 'g'), '[^"]', '', 'g')) % 2 = 1
  $$,
  'each quote is closed'
);
select is_empty(
  $$
    select line from lines
    where regexp_replace(line, '\\(["\\bfnrt]|u[0-9a-f]{4})', '', 'g') ~ '\\'
  $$,
  'no escape is cut'
);

select * from finish();
rollback;
