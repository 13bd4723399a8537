\ir ../setup.psql
select plan(1);
set local role recall_app;

select throws_ok(
  $$ select pg_temp.record(repairs => '["nul"]') $$, 'TR002', null,
  'repairs of another form are refused'
);

select * from finish();
rollback;
