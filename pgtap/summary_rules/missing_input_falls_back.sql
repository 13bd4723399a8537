\ir ../setup.psql
select plan(3);
select tool_recall.set_summary_rule('ruled', 'of {input($.day)}');
set local role recall_app;

select is(
  tool_recall.summarize_tool_result('ruled', '{}', '7'), '7', 'an argument that was left out'
);
select is(
  tool_recall.summarize_tool_result('ruled', '[1]', '7'), '7', 'an input that is no object'
);
select is(
  tool_recall.summarize_tool_result('ruled', '{"day": {}}', '7'), '7',
  'an argument that is an object'
);

select * from finish();
rollback;
