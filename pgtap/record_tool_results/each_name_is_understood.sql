\ir ../setup.psql
select plan(1);
set local role recall_app;
select tool_recall.record_tool_results(
  conversation_id => pg_temp.id('ada chat'),
  user_id => pg_temp.id('ada'),
  message_id => pg_temp.id('ada message'),
  results => '[{
    "tool_name": "list_orders", "tool_input": {"status": "open"}, "tool_output": {"error": "down"},
    "tool_use_id": "call_1", "is_error": true, "created_at": "2026-05-12T11:02:11.5+02:00",
    "repairs": {"nul": 1}
  }]'
);

select is(
  (
    select to_jsonb(m) - 'id' - 'seq' - 'recall_line' - 'recall_tokens'
    from tool_recall.message_tool_results as m
  ),
  jsonb_build_object(
    'user_id', pg_temp.id('ada'),
    'message_id', pg_temp.id('ada message'),
    'conversation_id', pg_temp.id('ada chat'),
    'tool_name', 'list_orders',
    'tool_input', '{"status": "open"}'::jsonb,
    'tool_output', '{"error": "down"}'::jsonb,
    'tool_use_id', 'call_1',
    'is_error', true,
    'created_at', '2026-05-12 09:02:11.5+00'::timestamptz,
    'repairs', '{"nul": 1}'::jsonb
  ),
  'all names of record_tool_result are keys'
);

select * from finish();
rollback;
