\ir ../setup.psql
select plan(3);

select is(
  pg_temp.summary('"{plain:first($.a)}" in 5"', '{"a": "x, y"}'), $$'"x, y"' in 5'$$,
  'a template''s own double quotes are shown as single ones'
);
select is(
  pg_temp.summary('say "{first($.a)}"', '{"a": "x\"y"}'), $$say '"x\"y"'$$,
  'so that a text stays in its quotes'
);
-- The cut closes the text's quotes, whatever the template holds.
select tool_recall.set_summary_rule('ruled', '5" {first($)} {first($)} {first($)} {first($)}');
set local role recall_app;
select is(
  pg_temp.line('ruled', '{}', to_jsonb(repeat('ab ', 14))),
  '- 2026-05-12 ruled(): 5'' ' || repeat('"' || repeat('ab ', 12) || U&'ab\2026" ', 3)
  || '"' || repeat('ab ', 5) || U&'ab\2026"',
  'also where the line is cut'
);

select * from finish();
rollback;
