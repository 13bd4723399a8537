\ir ../setup.psql
select plan(2);
select tool_recall.grant_reader('recall_reader');
select tool_recall.revoke_all('recall_reader');
set local role recall_app;
select lives_ok('select pg_temp.record()', 'another role records as before');
select matches(pg_temp.block(), 'list_orders', 'and recalls');

select * from finish();
rollback;
