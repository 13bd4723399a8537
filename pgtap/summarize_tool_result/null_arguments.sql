\ir ../setup.psql
select plan(4);
set local role recall_app;

select is(
  tool_recall.summarize_tool_result('a', '{}', null),
  tool_recall.summarize_tool_result('a', '{}', 'null'),
  'an output that is null is JSON null'
);
select is(
  tool_recall.summarize_tool_result('a', null, '7'), '7', 'an input that is null is no arguments'
);
select is(
  tool_recall.summarize_tool_result('a', '{}', '7', null), '7', 'is_error null is no error'
);
select lives_ok(
  $$ select tool_recall.summarize_tool_result(null, null, null, null) $$,
  'nothing at all is no failure'
);

select * from finish();
rollback;
