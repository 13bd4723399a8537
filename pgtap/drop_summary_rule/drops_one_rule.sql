\ir ../setup.psql
select plan(3);
select tool_recall.set_summary_rule('ruled', 'any');
select tool_recall.set_summary_rule('ruled', 'one key', '{"a": 1}');
select tool_recall.set_summary_rule('other', 'other tool', '{"a": 1}');

select tool_recall.drop_summary_rule(tool_name => 'ruled', input_match => '{"a": 1}');
select is(
  tool_recall.summarize_tool_result('ruled', '{"a": 1}', '1'), 'any',
  'the rule of that match is gone'
);
select is(
  tool_recall.summarize_tool_result('other', '{"a": 1}', '1'), 'other tool',
  'another tool''s is not'
);
select tool_recall.drop_summary_rule('ruled');
select is(
  tool_recall.summarize_tool_result('ruled', '{"a": 1}', '1'), '1',
  'without a match it is the rule for every input'
);

select * from finish();
rollback;
