\ir ../setup.psql
select plan(7);
set local role recall_app;
select pg_temp.record();

select throws_ok(
  $$ update tool_recall.message_tool_results set recall_line = '' $$, '42501', null,
  'the chat service may not change a result'
);
select throws_ok(
  'delete from tool_recall.message_tool_results', '42501', null, 'nor delete one'
);
select throws_ok(
  'truncate tool_recall.message_tool_results', '42501', null, 'nor all of them'
);
select throws_ok(
  'create table tool_recall.mine (n integer)', '42501', null, 'nor add to the schema'
);
select throws_ok(
  $$ select tool_recall.grant_app('recall_app') $$, '42501', null, 'nor grant itself anything'
);
select throws_ok(
  'select * from tool_recall._retention_state', '42501', null, 'nor read what is internal'
);
select throws_ok(
  'select * from tool_recall._host_conversations', '42501', null,
  'nor the host''s tables through ours'
);

select * from finish();
rollback;
