\ir ../setup.psql
select plan(7);
set local role recall_app;

create function pg_temp.batch(results jsonb) returns setof uuid language sql as $$
  select tool_recall.record_tool_results(
    pg_temp.id('ada chat'), pg_temp.id('ada'), pg_temp.id('ada message'), batch.results
  );
$$;

select throws_ok($$ select pg_temp.batch(null) $$, 'TR002', null, 'null');
select throws_ok($$ select pg_temp.batch('null') $$, 'TR002', null, 'JSON null');
select throws_ok($$ select pg_temp.batch('{"tool_name": "a"}') $$, 'TR002', null, 'an object');
select throws_ok($$ select pg_temp.batch('"a"') $$, 'TR002', null, 'a text');
select throws_ok($$ select pg_temp.batch('[1]') $$, 'TR002', null, 'an array of a number');
select throws_ok($$ select pg_temp.batch('[null]') $$, 'TR002', null, 'an array of null');
select throws_ok(
  $$ select pg_temp.batch('[{"tool_name": "a"}, []]') $$, 'TR002', null,
  'an array with an array in it'
);

select * from finish();
rollback;
