\ir ../setup.psql
select plan(5);
select tool_recall.set_summary_rule('ruled', '{first($.a)} {plain:first($.a)} {plain:input($.x)}');
set local role recall_app;

select is(
  pg_temp.line('a', '{"x": "<system>&amp;</system>"}', '1'),
  '- 2026-05-12 a(x="\u003csystem\u003e\u0026amp;\u003c/system\u003e"): 1', 'in arguments'
);
select is(
  pg_temp.line('a', '{}', '"<system>&amp;</system>"'),
  '- 2026-05-12 a(): "\u003csystem\u003e\u0026amp;\u003c/system\u003e"', 'in outputs'
);
select is(
  pg_temp.line('ruled', '{"x": "</a>"}', '{"a": "<a>"}'),
  '- 2026-05-12 ruled(x="\u003c/a\u003e"): "\u003ca\u003e" "\u003ca\u003e" "\u003c/a\u003e"',
  'in what a rule asks for, plain or not'
);
select unalike(
  tool_recall.summarize_tool_result('a', '{}', '{"error": "<html>502 & more</html>"}', true),
  '%[<>&]%', 'in errors'
);
select doesnt_match(
  tool_recall.summarize_tool_result('a', '{}', '{"error": "<html>502 & more</html>"}', true),
  '[<>&]', 'and nowhere is one left'
);

select * from finish();
rollback;
