\ir ../setup.psql
select plan(3);
select tool_recall.set_summary_rule('ruled', '{count($[*])}-week trend, {change($[*])}');
set local role recall_app;

select is(
  tool_recall.summarize_tool_result('ruled', '{}', '[10, 11]'), '2-week trend, +10%',
  'a change from another value is said'
);
select is(
  tool_recall.summarize_tool_result('ruled', '{}', '[0, 11]'), '2-week trend',
  'from zero it is left out, with the comma before it'
);
select is(
  tool_recall.summarize_tool_result('ruled', '{}', '[0.00, 0]'), '2-week trend',
  'however zero is written'
);

select * from finish();
rollback;
