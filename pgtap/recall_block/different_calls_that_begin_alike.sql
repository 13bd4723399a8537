\ir ../setup.psql
select plan(2);
set local role recall_app;
select pg_temp.record('a', '{"x": "b): 1"}', '1', created_at => pg_temp.at(1, '10:00'));
select pg_temp.record('a', '{"x": "b): 2"}', '1', created_at => pg_temp.at(1, '11:00'));
select pg_temp.record('a', '{"x": "b): 2"}', '2', created_at => pg_temp.at(1, '12:00'));

select is(
  pg_temp.recalled(), array['a', 'a'], 'what looks like the end of the arguments within them is not'
);
select matches(
  pg_temp.block(),
  '\n- .{10} a\(x="b\): 2"\): 2\n- .{10} a\(x="b\): 1"\): 1\n\n', 'each says its own'
);

select * from finish();
rollback;
