\ir ../setup.psql
select plan(1);
set local role recall_app;
select pg_temp.record('a', '{"x": 1}', created_at => pg_temp.at(1, '10:00'));
select pg_temp.record('b', '{"x": 1}', created_at => pg_temp.at(1, '10:01'));

select is(pg_temp.recalled(), array['b', 'a'], 'two tools are two calls');

select * from finish();
rollback;
