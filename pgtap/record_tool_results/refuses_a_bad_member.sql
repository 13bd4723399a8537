\ir ../setup.psql
select plan(10);
set local role recall_app;

create function pg_temp.batch(result jsonb) returns setof uuid language sql as $$
  select tool_recall.record_tool_results(
    pg_temp.id('ada chat'), pg_temp.id('ada'), pg_temp.id('ada message'),
    jsonb_build_array(batch.result)
  );
$$;

select throws_ok($$ select pg_temp.batch('{}') $$, 'TR002', null, 'no tool name');
select throws_ok(
  $$ select pg_temp.batch('{"tool_name": null}') $$, 'TR002', null, 'a tool name that is null'
);
select throws_ok(
  $$ select pg_temp.batch('{"tool_name": 7}') $$, 'TR002', null, 'a tool name that is no text'
);
select throws_ok(
  $$ select pg_temp.batch('{"tool_name": "a", "is_error": "maybe"}') $$, 'TR002', null,
  'is_error that is no boolean'
);
select throws_ok(
  $$ select pg_temp.batch('{"tool_name": "a", "created_at": "soon"}') $$, 'TR002', null,
  'created_at that is no time'
);
select throws_ok(
  $$ select pg_temp.batch('{"tool_name": "a", "created_at": "infinity"}') $$, 'TR002', null,
  'created_at that is infinite'
);
select throws_ok(
  $$ select pg_temp.batch('{"tool_name": "a", "created_at": {"year": 2026}}') $$, 'TR002', null,
  'created_at that is an object'
);
select throws_ok(
  $$ select pg_temp.batch('{"tool_name": "a", "created_at": "99999999-01-01"}') $$, 'TR002', null,
  'created_at that no timestamp can hold'
);
select throws_ok(
  $$ select pg_temp.batch('{"tool_name": "a", "repairs": [1]}') $$, 'TR002', null,
  'repairs that are no object'
);
select throws_ok(
  $$ select pg_temp.batch('{"tool_name": "a", "tool_ouput": 1}') $$, 'TR002', null,
  'a misspelt key, which would lose the output silently'
);

select * from finish();
rollback;
