\ir ../setup.psql
select plan(1);
select tool_recall.set_summary_rule('hidden', null);
select tool_recall.drop_summary_rule('hidden');

select is(
  tool_recall.summarize_tool_result('hidden', '{}', '1'), '1', 'a hidden tool is shown again'
);

select * from finish();
rollback;
