\ir ../setup.psql
select plan(2);
set local role recall_app;

create function pg_temp.batch(results jsonb) returns setof uuid language sql as $$
  select tool_recall.record_tool_results(
    pg_temp.id('ada chat'), pg_temp.id('ada'), pg_temp.id('ada message'), batch.results
  );
$$;

select throws_ok(
  $$ select pg_temp.batch('[{"tool_name": "a"}, {"tool_name": "b"}, {"tool_name": " "}]') $$,
  'TR002', null, 'one bad result is refused'
);
select is_empty('select from tool_recall.message_tool_results', 'and with it the whole batch');

select * from finish();
rollback;
