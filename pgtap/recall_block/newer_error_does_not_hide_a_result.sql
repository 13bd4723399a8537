\ir ../setup.psql
select plan(1);
set local role recall_app;
select pg_temp.record('a', '{"x": 1}', '10', created_at => pg_temp.at(1, '10:00'));
select pg_temp.record(
  'a', '{"x": 1}', '"down"', is_error => true, created_at => pg_temp.at(1, '11:00')
);

select is(
  (
    select array_agg(l.created_at)
    from tool_recall.recall_lines(pg_temp.id('ada chat'), pg_temp.id('ada')) as l
  ),
  array[pg_temp.at(1, '10:00')],
  'of a call that failed when it was repeated the earlier result speaks'
);

select * from finish();
rollback;
