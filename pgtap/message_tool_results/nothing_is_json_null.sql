\ir ../setup.psql
select plan(2);
set local role recall_app;

select throws_ok(
  $$
    insert into tool_recall.message_tool_results (
      user_id, conversation_id, message_id, tool_name, tool_input, tool_output
    ) values (
      pg_temp.id('ada'), pg_temp.id('ada chat'), pg_temp.id('ada message'), 'lookup', '{}', null
    )
  $$,
  '23502', null, 'SQL null is no output'
);
select lives_ok(
  $$
    insert into tool_recall.message_tool_results (
      user_id, conversation_id, message_id, tool_name, tool_input, tool_output
    ) values (
      pg_temp.id('ada'), pg_temp.id('ada chat'), pg_temp.id('ada message'), 'lookup', '{}', 'null'
    )
  $$,
  'JSON null is'
);

select * from finish();
rollback;
