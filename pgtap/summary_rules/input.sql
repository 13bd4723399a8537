\ir ../setup.psql
select plan(1);
select tool_recall.set_summary_rule(
  'ruled', '{input($.day)} {date:input($.day)} {plain:input($.unit)} {input($.ids[1])}'
);
set local role recall_app;

select is(
  tool_recall.summarize_tool_result(
    'ruled', '{"day": "2026-05-12", "unit": "week", "ids": [7, 8]}', '{"day": "no", "unit": "no"}'
  ),
  '"2026-05-12" 2026-05-12 week 8', 'values of the input, not of the output'
);

select * from finish();
rollback;
