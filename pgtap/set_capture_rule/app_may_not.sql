\ir ../setup.psql
select plan(4);
set local role recall_app;

select throws_ok(
  $$ select tool_recall.set_capture_rule('list_orders') $$, '42501', null,
  'the chat service may not set what is stored'
);
select throws_ok(
  $$ select tool_recall.drop_capture_rule('list_orders') $$, '42501', null, 'nor drop it'
);
select throws_ok(
  $$ insert into tool_recall.capture_rules (tool_name) values ('list_orders') $$, '42501', null,
  'nor by the table'
);
select lives_ok('select * from tool_recall.capture_rules', 'but it may read the rules');

select * from finish();
rollback;
