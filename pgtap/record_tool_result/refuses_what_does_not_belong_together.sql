\ir ../setup.psql
select plan(8);
set local role recall_app;

select throws_ok(
  $$ select pg_temp.record(user_name => 'bob') $$, 'TR001', null,
  'a user who does not own the conversation'
);
select throws_ok(
  $$ select pg_temp.record(conversation => 'bob chat', message => 'bob message') $$, 'TR001', null,
  'a conversation of another user'
);
select throws_ok(
  $$ select pg_temp.record(message => 'ada second message') $$, 'TR001', null,
  'a message of another conversation of the same user'
);
select throws_ok(
  $$ select pg_temp.record(message => 'bob message') $$, 'TR001', null,
  'a message of another user'
);
select throws_ok(
  $$ select pg_temp.record(user_name => 'nobody') $$, 'TR001', null, 'a user who is gone'
);
select throws_ok(
  $$ select pg_temp.record(conversation => 'no chat') $$, 'TR001', null,
  'a conversation that is gone'
);
select throws_ok(
  $$ select pg_temp.record(message => 'no message') $$, 'TR001', null, 'a message that is gone'
);
select is_empty('select from tool_recall.message_tool_results', 'nothing was stored');

select * from finish();
rollback;
