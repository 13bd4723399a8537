\ir ../setup.psql
select plan(4);
set local role recall_app;
select pg_temp.record('tool_' || n) from generate_series(1, 7) as n;

create function pg_temp.how_many(max_results integer) returns bigint language sql stable as $$
  select count(*) from tool_recall.recall_tool_results(
    pg_temp.id('ada chat'), pg_temp.id('ada'), max_results => how_many.max_results
  );
$$;

select is(
  (
    select array_agg(r.tool_name order by r.created_at desc)
    from tool_recall.recall_tool_results(pg_temp.id('ada chat'), pg_temp.id('ada')) as r
  ),
  array['tool_7', 'tool_6', 'tool_5', 'tool_4', 'tool_3'], 'the newest five unless told otherwise'
);
select is(pg_temp.how_many(2), 2::bigint, 'fewer where fewer are asked for');
select is(pg_temp.how_many(100), 7::bigint, 'more where there are more');
select is(pg_temp.how_many(0), 0::bigint, 'none where none are');

select * from finish();
rollback;
