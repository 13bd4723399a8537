\ir ../setup.psql
select plan(2);
set local role recall_app;

create function pg_temp.batch() returns uuid[] language sql as $$
  select array_agg(r.id order by r.place)
  from tool_recall.record_tool_results(
    pg_temp.id('ada chat'), pg_temp.id('ada'), pg_temp.id('ada message'),
    '[
      {"tool_name": "a", "tool_use_id": "call_1"},
      {"tool_name": "a", "tool_use_id": "call_2"}
    ]'
  ) with ordinality as r (id, place);
$$;

select is(pg_temp.batch(), pg_temp.batch(), 'the same batch again: the same ids');
select is(
  (select count(*) from tool_recall.message_tool_results), 2::bigint, 'and the same rows'
);

select * from finish();
rollback;
