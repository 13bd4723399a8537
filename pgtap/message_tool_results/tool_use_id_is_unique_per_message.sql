\ir ../setup.psql
select plan(5);
set local role recall_app;

prepare insert_row (text, text) as
insert into tool_recall.message_tool_results (
  user_id, conversation_id, message_id, tool_name, tool_input, tool_output, tool_use_id
) values (
  pg_temp.id('ada'), pg_temp.id('ada chat'), pg_temp.id($1), 'list_orders', '{}', '{}', $2
);

select lives_ok(
  $$ execute insert_row ('ada message', 'call_1') $$, 'a call id is accepted once'
);
select throws_ok(
  $$ execute insert_row ('ada message', 'call_1') $$, '23505', null,
  'a plain INSERT cannot use it again for the same message'
);
select lives_ok(
  $$ execute insert_row ('ada later message', 'call_1') $$, 'it can for another message'
);
select lives_ok($$ execute insert_row ('ada message', null) $$, 'rows without a call id');
select lives_ok($$ execute insert_row ('ada message', null) $$, 'may be many');

select * from finish();
rollback;
