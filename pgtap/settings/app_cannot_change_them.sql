\ir ../setup.psql
select plan(2);
set local role recall_app;

select throws_ok(
  'update tool_recall.settings set max_rows = 1', '42501', null,
  'the chat service may not change a setting'
);
select lives_ok('select max_rows from tool_recall.settings', 'it may read them');

select * from finish();
rollback;
