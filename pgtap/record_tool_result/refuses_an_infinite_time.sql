\ir ../setup.psql
select plan(2);
set local role recall_app;

select throws_ok(
  $$ select pg_temp.record(created_at => 'infinity') $$, 'TR002', null, 'infinity is refused'
);
select throws_ok(
  $$ select pg_temp.record(created_at => '-infinity') $$, 'TR002', null, 'minus infinity is refused'
);

select * from finish();
rollback;
