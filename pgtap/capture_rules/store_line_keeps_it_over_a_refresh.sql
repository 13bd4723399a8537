\ir ../setup.psql
select plan(2);
select tool_recall.set_capture_rule('t', 'line');
select pg_temp.record('t', '{}', '{"orders": [1, 2, 3]}') as id \gset
select tool_recall.set_summary_rule('t', 'marker {first($.not_stored)}');

select tool_recall._refresh_batch(null, '00000000-0000-0000-0000-000000000000', 100);
select alike(
  (select m.recall_line from tool_recall.message_tool_results as m where m.id = :'id'),
  '%: 3 orders', 'a line that cannot be made again stays'
);
select is_empty(
  $$ select * from tool_recall.preview_summary_rule('t', 'marker {first($.not_stored)}') $$,
  'nor is it previewed'
);

select * from finish();
rollback;
