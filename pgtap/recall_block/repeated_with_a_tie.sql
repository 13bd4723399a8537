\ir ../setup.psql
select plan(1);
set local role recall_app;
select pg_temp.record('a', '{}', '1', created_at => pg_temp.at(1, '10:00'));
select pg_temp.record('a', '{}', '2', created_at => pg_temp.at(1, '10:00'));

select results_eq(
  $$
    select right(recall_line, 3)
    from tool_recall.recall_lines(pg_temp.id('ada chat'), pg_temp.id('ada'))
  $$,
  $$ values (': 2') $$,
  'of the same microsecond the later recorded speaks'
);

select * from finish();
rollback;
