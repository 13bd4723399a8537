\ir ../setup.psql
select plan(3);

select tool_recall.set_summary_rule('ruled', '{change($[*])}');
set local role recall_app;

select matches(
  tool_recall.summarize_tool_result('ruled', '{}', '[7, 7]'), '^\+?0%$', 'no change is 0%'
);
select matches(
  tool_recall.summarize_tool_result('ruled', '{}', '[1000, 999]'), '^\+?0%$', 'and never -0%'
);
select matches(
  tool_recall.summarize_tool_result('ruled', '{}', '[7]'), '^\+?0%$', 'one value has not changed'
);

select * from finish();
rollback;
