\ir ../setup.psql
select plan(1);
set local role recall_app;
insert into tool_recall.message_tool_results (
  user_id, conversation_id, message_id, tool_name, tool_input, tool_output
)
select pg_temp.id('ada'), pg_temp.id('ada chat'), pg_temp.id('ada message'), 'tick', '{}', '{}'
from pg_sleep(0.01) as s;

select ok(
  (select m.created_at > now() from tool_recall.message_tool_results as m),
  'created_at defaults to the clock, not to the start of the transaction'
);

select * from finish();
rollback;
