\ir ../setup.psql
select plan(1);
set local role recall_app;
select tool_recall.record_tool_result(
  conversation_id => pg_temp.id('ada chat'),
  user_id => pg_temp.id('ada'),
  message_id => pg_temp.id('ada message'),
  tool_name => 'list_orders',
  tool_input => '{"status": "open"}',
  tool_output => '{"orders": [{"id": 1}, {"id": 2}]}',
  tool_use_id => 'call_1',
  is_error => false,
  created_at => '2026-05-12 09:02:11.123456+00',
  repairs => '{"nul": 2}'
) as recorded \gset

select is(
  (select to_jsonb(m) - 'seq' - 'recall_tokens' from tool_recall.message_tool_results as m),
  jsonb_build_object(
    'id', :'recorded',
    'user_id', pg_temp.id('ada'),
    'message_id', pg_temp.id('ada message'),
    'conversation_id', pg_temp.id('ada chat'),
    'tool_name', 'list_orders',
    'tool_input', '{"status": "open"}'::jsonb,
    'tool_output', '{"orders": [{"id": 1}, {"id": 2}]}'::jsonb,
    'created_at', '2026-05-12 09:02:11.123456+00'::timestamptz,
    'tool_use_id', 'call_1',
    'is_error', false,
    'recall_line', '- 2026-05-12 list_orders(status="open"): 2 orders',
    'repairs', '{"nul": 2}'::jsonb
  ),
  'one row holds all that was given, and its line; its id is returned'
);

select * from finish();
rollback;
