\ir ../setup.psql
select plan(2);
set local role recall_app;
create temporary table recorded as
select r.id, r.place
from tool_recall.record_tool_results(
  pg_temp.id('ada chat'), pg_temp.id('ada'), pg_temp.id('ada message'),
  (select jsonb_agg(jsonb_build_object('tool_name', 'tool_' || n) order by n)
    from generate_series(1, 30) as n)
) with ordinality as r (id, place);

select results_eq(
  $$
    select m.tool_name::text
    from recorded as r join tool_recall.message_tool_results as m on m.id = r.id
    order by r.place
  $$,
  $$ select 'tool_' || n from generate_series(1, 30) as n $$,
  'the ids come in the order of the results'
);
select results_eq(
  'select tool_name::text from tool_recall.message_tool_results order by created_at, seq',
  $$ select 'tool_' || n from generate_series(1, 30) as n $$,
  'and so are the results stored'
);

select * from finish();
rollback;
