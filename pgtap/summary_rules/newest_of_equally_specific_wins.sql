\ir ../setup.psql
select plan(3);
select tool_recall.set_summary_rule('ruled', 'by a', '{"a": 1}');
select tool_recall.set_summary_rule('ruled', 'by b', '{"b": 2}');

select is(
  tool_recall.summarize_tool_result('ruled', '{"a": 1, "b": 2}', '1'), 'by b',
  'of matches with as many keys the newest wins'
);
select tool_recall.set_summary_rule('ruled', 'by a again', '{"a": 1}');
select is(
  tool_recall.summarize_tool_result('ruled', '{"a": 1, "b": 2}', '1'), 'by a again',
  'a rule that is set again is the newest'
);
select is(
  tool_recall.summarize_tool_result('ruled', '{"b": 2}', '1'), 'by b', 'the other is still there'
);

select * from finish();
rollback;
