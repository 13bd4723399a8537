\ir ../setup.psql
select plan(1);
select tool_recall.set_summary_rule('ruled', '{count($.orders[*])} orders');
set local role recall_app;

select is(
  tool_recall.summarize_tool_result('ruled', '{}', '{"message": "maintenance"}'),
  tool_recall.summarize_tool_result('unruled', '{}', '{"message": "maintenance"}'),
  'an output without the list is not "0 orders"'
);

select * from finish();
rollback;
