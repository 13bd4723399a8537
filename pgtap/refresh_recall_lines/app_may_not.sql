\ir ../setup.psql
select plan(1);
set local role recall_app;

select throws_ok(
  'call tool_recall.refresh_recall_lines()', '42501', null, 'the chat service may not rewrite lines'
);

select * from finish();
rollback;
