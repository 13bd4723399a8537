\ir ../setup.psql
select plan(1);
set local role recall_app;
select pg_temp.record('a', created_at => pg_temp.at(2, '23:59:59.999999'));
select pg_temp.record('a', created_at => pg_temp.at(1, '00:00'));

select is(pg_temp.recalled(), array['a', 'a'], 'the same call on two days has two lines');

select * from finish();
rollback;
