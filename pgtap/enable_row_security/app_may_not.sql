\ir ../setup.psql
select plan(3);
\ir ../row_security.psql

select throws_ok(
  'select tool_recall.enable_row_security()', '42501', null, 'the chat service may not turn it on'
);
select throws_ok(
  'select tool_recall.disable_row_security()', '42501', null, 'nor off'
);
set local row_security = off;
select throws_ok(
  'select from tool_recall.message_tool_results', '42501', null, 'nor look past it'
);

select * from finish();
rollback;
