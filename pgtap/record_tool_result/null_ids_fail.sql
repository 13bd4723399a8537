\ir ../setup.psql
select plan(4);
set local role recall_app;

select throws_ok(
  $$ select pg_temp.record(conversation => null) $$, 'TR001', null,
  'conversation_id null is refused'
);
select throws_ok(
  $$ select pg_temp.record(user_name => null) $$, 'TR001', null, 'user_id null is refused'
);
select throws_ok(
  $$ select pg_temp.record(message => null) $$, 'TR001', null, 'message_id null is refused'
);
select throws_ok(
  $$ select pg_temp.record(message => null, tool_use_id => 'call_1') $$, 'TR001', null,
  'with a call id too'
);

select * from finish();
rollback;
