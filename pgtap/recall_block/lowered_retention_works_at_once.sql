\ir ../setup.psql
select plan(1);
set local role recall_app;
select pg_temp.record('older', created_at => now() - interval '49 hours');
select pg_temp.record('newer', created_at => now() - interval '47 hours');
reset role;
update tool_recall.settings set retention_days = 2;
set local role recall_app;

select is(pg_temp.recalled(), array['newer'], 'recall does not wait for the purge');

select * from finish();
rollback;
