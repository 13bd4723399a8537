\ir ../setup.psql
select plan(2);
set local role recall_app;
select pg_temp.record('here');
select pg_temp.record(
  'elsewhere', conversation => 'ada second chat', message => 'ada second message'
);

select is(pg_temp.recalled(), array['here'], 'another conversation''s results are not shown');
select is(pg_temp.recalled('ada second chat'), array['elsewhere'], 'each has its own');

select * from finish();
rollback;
