\ir ../setup.psql
select plan(6);
set local role recall_app;

prepare insert_row (text, text, text) as
insert into tool_recall.message_tool_results (
  user_id, conversation_id, message_id, tool_name, tool_input, tool_output
) values (pg_temp.id($1), pg_temp.id($2), pg_temp.id($3), 'list_orders', '{}', '{}');

select lives_ok(
  $$ execute insert_row ('ada', 'ada chat', 'ada message') $$,
  'a plain INSERT of what belongs together is accepted'
);
select throws_ok(
  $$ execute insert_row ('bob', 'ada chat', 'ada message') $$,
  'TR001', null, 'a plain INSERT into another user''s conversation is refused'
);
select throws_ok(
  $$ execute insert_row ('ada', 'ada chat', 'ada second message') $$,
  'TR001', null, 'a plain INSERT with a message of another conversation is refused'
);
select throws_ok(
  $$ execute insert_row ('nobody', 'ada chat', 'ada message') $$,
  'TR001', null, 'a plain INSERT for a user who is gone is refused'
);
select throws_ok(
  $$ execute insert_row ('ada', 'no chat', 'ada message') $$,
  'TR001', null, 'a plain INSERT into a conversation that is gone is refused'
);
select throws_ok(
  $$ execute insert_row ('ada', 'ada chat', 'no message') $$,
  'TR001', null, 'a plain INSERT with a message that is gone is refused'
);

select * from finish();
rollback;
