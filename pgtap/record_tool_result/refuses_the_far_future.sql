\ir ../setup.psql
select plan(2);
set local role recall_app;

select throws_ok(
  $$ select pg_temp.record(created_at => clock_timestamp() + interval '5 minutes 5 seconds') $$,
  'TR002', null, 'more than five minutes ahead is refused'
);
select throws_ok(
  $$ select pg_temp.record(created_at => '2999-01-01 00:00+00') $$, 'TR002', null,
  'and so is another millennium'
);

select * from finish();
rollback;
