\ir ../setup.psql
select plan(1);
select pg_temp.record_tools(3);
create temporary table versions as
select m.id, m.ctid::text as version from tool_recall.message_tool_results as m;
select tool_recall._refresh_batch(null, '00000000-0000-0000-0000-000000000000', 500);

select results_eq(
  'select id, ctid::text from tool_recall.message_tool_results order by id',
  'select id, version from versions order by id',
  'a line that stays the same is not written again'
);

select * from finish();
rollback;
