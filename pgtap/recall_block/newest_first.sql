\ir ../setup.psql
select plan(1);
set local role recall_app;
select pg_temp.record('second', created_at => pg_temp.at(3, '10:00'));
select pg_temp.record('newest', created_at => pg_temp.at(1, '10:00'));
select pg_temp.record('oldest', created_at => pg_temp.at(3, '09:59:59.999999'));
select pg_temp.record(
  'third', created_at => pg_temp.at(3, '10:00'), message => 'ada later message'
);

select is(
  pg_temp.recalled(), array['newest', 'third', 'second', 'oldest'],
  'by the time at which the tool returned, then the later recorded first'
);

select * from finish();
rollback;
