\ir ../setup.psql
select plan(1);
select pg_temp.record_tools(6);
update tool_recall.settings set conversation_cap = 2;
set local role recall_app;
select pg_temp.record('after');
reset role;
select tool_recall._purge_over_cap_batch(1000);

select is(
  (select array_agg(m.tool_name::text order by m.seq) from tool_recall.message_tool_results as m),
  array['tool_6', 'after'], 'a result recorded before the purge is kept by it'
);

select * from finish();
rollback;
