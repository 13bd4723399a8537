\ir ../setup.psql
select plan(1);
set local role recall_app;

select is(pg_temp.line('ping', '{}', '1'), '- 2026-05-12 ping(): 1', 'no arguments are ()');

select * from finish();
rollback;
