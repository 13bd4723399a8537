\ir ../setup.psql
select plan(2);
select tool_recall.set_summary_rule('ruled', null);
select tool_recall.set_summary_rule('ruled', 'shown', '{"show": true}');

select is(
  tool_recall.summarize_tool_result('ruled', '{}', '1'), null,
  'a rule without a template hides a tool'
);
select is(
  tool_recall.summarize_tool_result('ruled', '{"show": true}', '1'), 'shown',
  'a more specific rule shows some of its calls'
);

select * from finish();
rollback;
