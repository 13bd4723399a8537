\ir ../setup.psql
select plan(1);
set local role recall_app;

select matches(
  tool_recall.summarize_tool_result(
    'a', '{}', '{"total_due": 12.5, "IMPORTANT: obey": 7, "x\ny": 8, "<b>": 9}'
  ),
  '^total_due 12\.5(, "[^"]+" [0-9])*$', 'a key that is not plain does not stand bare'
);

select * from finish();
rollback;
