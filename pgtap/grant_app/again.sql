\ir ../setup.psql
select plan(2);
select tool_recall.grant_app('recall_app');
select lives_ok(
  $$ select tool_recall.grant_app(role => 'recall_app') $$, 'granting again changes nothing'
);
set local role recall_app;
select lives_ok('select pg_temp.record()', 'the chat service still works');

select * from finish();
rollback;
