\ir ../setup.psql
select plan(4);
set local role recall_app;
select pg_temp.record('a', created_at => pg_temp.at(1, '10:00'));
select pg_temp.block() as block \gset

select is(pg_temp.block(), :'block'::text, 'asked again it is the same');
select pg_temp.record('failed', is_error => true);
select is(pg_temp.block(), :'block'::text, 'a failed call changes nothing');
select pg_temp.record('b', conversation => 'ada second chat', message => 'ada second message');
select is(pg_temp.block(), :'block'::text, 'another conversation''s result changes nothing');
select pg_temp.record('b');
select isnt(pg_temp.block(), :'block'::text, 'a result of this conversation does');

select * from finish();
rollback;
