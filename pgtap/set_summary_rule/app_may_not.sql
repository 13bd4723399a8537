\ir ../setup.psql
select plan(3);
set local role recall_app;

select throws_ok(
  $$ select tool_recall.set_summary_rule('a', 'x') $$, '42501', null,
  'the chat service may not set a rule'
);
select throws_ok(
  $$ select tool_recall.drop_summary_rule('a') $$, '42501', null, 'nor drop one'
);
select throws_ok(
  $$ insert into tool_recall.summary_rules (tool_name) values ('a') $$, '42501', null,
  'in whatever way it tries'
);

select * from finish();
rollback;
