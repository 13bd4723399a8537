\ir ../setup.psql
select plan(2);
update tool_recall.settings set conversation_cap = 3;
set local role recall_app;
create temporary table recorded as
select r.id, r.place
from tool_recall.record_tool_results(
  pg_temp.id('ada chat'), pg_temp.id('ada'), pg_temp.id('ada message'),
  (select jsonb_agg(jsonb_build_object('tool_name', 'tool_' || n) order by n)
    from generate_series(1, 5) as n)
) with ordinality as r (id, place);

select is((select count(r.id) from recorded as r), 5::bigint, 'each result has its id');
select is(
  (select array_agg(m.tool_name::text order by m.seq) from tool_recall.message_tool_results as m),
  array['tool_3', 'tool_4', 'tool_5'], 'the last three stay'
);

select * from finish();
rollback;
