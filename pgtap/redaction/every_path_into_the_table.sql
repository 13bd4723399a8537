\ir ../setup.psql
select plan(3);
select tool_recall.set_capture_rule('t', redact_paths => array['$.**.p']);
set local role recall_app;
select pg_temp.record('t', '{}', '{"p": "function"}');
select tool_recall.record_tool_results(
  pg_temp.id('ada chat'), pg_temp.id('ada'), pg_temp.id('ada message'),
  '[{"tool_name": "t", "tool_input": {"p": "batch"}, "tool_output": null}]'
);
insert into tool_recall.message_tool_results
  (conversation_id, user_id, message_id, tool_name, tool_input, tool_output)
values (
  pg_temp.id('ada chat'), pg_temp.id('ada'), pg_temp.id('ada message'), 't', '{}', '{"p": "insert"}'
);
\ir copy_row.psql

select is(
  (select count(*) from tool_recall.message_tool_results), 4::bigint, 'by function, INSERT and COPY'
);
select is_empty(
  $$
    select from tool_recall.message_tool_results as m
    where m::text ~ '(function|batch|insert|copy)'
  $$,
  'nothing that is to be redacted is stored'
);
select results_eq(
  'select distinct m.repairs from tool_recall.message_tool_results as m',
  $$ values ('{"redacted": 1}'::jsonb) $$, 'and each says so'
);

select * from finish();
rollback;
