\ir ../setup.psql
select plan(1);
select tool_recall.set_summary_rule(
  tool_name => 'ruled', template => 'matched', input_match => '{"a": 1}'
);

select is(
  tool_recall.summarize_tool_result('ruled', '{"a": 1}', '1'), 'matched',
  'the argument names are those of the contract'
);

select * from finish();
rollback;
