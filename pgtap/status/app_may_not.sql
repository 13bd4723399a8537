\ir ../setup.psql
select plan(1);
set local role recall_app;

select throws_ok(
  'select * from tool_recall.status', '42501', null, 'the view is not for the chat service'
);

select * from finish();
rollback;
