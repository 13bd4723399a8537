\ir ../setup.psql
select plan(2);
set local role recall_app;
create temporary table recorded as
select r.id, r.place
from tool_recall.record_tool_results(
  pg_temp.id('ada chat'), pg_temp.id('ada'), pg_temp.id('ada message'),
  '[
    {"tool_name": "a", "tool_use_id": "call_1", "tool_output": 1},
    {"tool_name": "a", "tool_use_id": "call_1", "tool_output": 1},
    {"tool_name": "a", "tool_use_id": "call_1", "tool_output": 2}
  ]'
) with ordinality as r (id, place);

select is(
  (select array_agg(r.id = f.id order by r.place) from recorded as r cross join recorded as f
    where f.place = 1),
  array[true, true, false], 'the same content has the first row''s id, other content its own'
);
select is(
  (select count(*) from tool_recall.message_tool_results), 2::bigint, 'two rows are stored'
);

select * from finish();
rollback;
