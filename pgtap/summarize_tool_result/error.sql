\ir ../setup.psql
select plan(3);
select tool_recall.set_summary_rule('ruled', '{count($.orders[*])} orders');
set local role recall_app;

select matches(
  tool_recall.summarize_tool_result('a', '{}', '{"error": {"message": "no such table"}}', true),
  '^error .*"no such table"', 'an error says so, its message in quotes'
);
select matches(
  tool_recall.summarize_tool_result('ruled', '{}', '{"orders": [], "error": "down"}', true),
  '^error .*"down"', 'the tool''s rule does not speak for a failed call'
);
select matches(
  tool_recall.summarize_tool_result('a', '{}', 'null', true), '^error',
  'an error without a message too'
);

select * from finish();
rollback;
