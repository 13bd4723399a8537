\ir ../setup.psql
select plan(1);
set local role recall_app;
select pg_temp.record('a', '{"x": 1, "y": 2}', '10', created_at => pg_temp.at(1, '10:00'));
select pg_temp.record('b', '{"x": 1, "y": 2}', '11', created_at => pg_temp.at(1, '11:00'));
select pg_temp.record('a', '{"y": 2, "x": 1}', '12', created_at => pg_temp.at(1, '12:00'));
select pg_temp.record('c', '{}', '13', created_at => pg_temp.at(1, '13:00'));

select results_eq(
  $$
    select tool_name, created_at
    from tool_recall.recall_lines(pg_temp.id('ada chat'), pg_temp.id('ada'))
  $$,
  $$
    values
      ('c', pg_temp.at(1, '13:00')), ('a', pg_temp.at(1, '12:00')), ('b', pg_temp.at(1, '11:00'))
  $$,
  'of the same day, tool and arguments the newest has the line, whatever came between'
);

select * from finish();
rollback;
