\ir ../setup.psql
select plan(1);
set local role recall_app;
select tool_recall.record_tool_results(
  pg_temp.id('ada chat'), pg_temp.id('ada'), pg_temp.id('ada message'),
  '[{"tool_name": "ping"}, {
    "tool_name": "ping", "tool_input": null, "tool_output": null, "tool_use_id": null,
    "is_error": null, "created_at": null, "repairs": null
  }]'
);

select results_eq(
  $$
    select is_error, tool_use_id, tool_output, repairs, created_at >= now()
    from tool_recall.message_tool_results
  $$,
  $$
    values
      (false, null::text, 'null'::jsonb, null::jsonb, true),
      (false, null::text, 'null'::jsonb, null::jsonb, true)
  $$,
  'what is left out, or null, is as with record_tool_result'
);

select * from finish();
rollback;
