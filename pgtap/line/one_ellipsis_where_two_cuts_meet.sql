\ir ../setup.psql
select plan(2);
select tool_recall.set_summary_rule('ruled', 'abcdefghij {first($)} and more');
set local role recall_app;

-- The text is cut at 40 characters, and the line between its ellipsis and the quote after it.
create temporary table shown as
select pg_temp.line('ruled', '{}', to_jsonb(repeat('<a> ', 30))) as line;

select is(
  octet_length(rtrim(s.line, U&'\2026"')) + 4, 180 - 3, 'the two cuts meet'
) from shown as s;
select is(
  s.line,
  '- 2026-05-12 ruled(): abcdefghij "' || repeat('\u003ca\u003e ', 9) || U&'\\u003ca\\u003e\2026"',
  'one ellipsis tells it'
) from shown as s;

select * from finish();
rollback;
