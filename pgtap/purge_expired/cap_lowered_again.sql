\ir ../setup.psql
select plan(4);
select pg_temp.record_tools(6);
update tool_recall.settings set conversation_cap = 5;
select is(tool_recall._purge_over_cap_batch(1000), 1::bigint, 'lowered once');
select is(tool_recall._purge_over_cap_batch(1000), 0::bigint, 'and done');
update tool_recall.settings set conversation_cap = 100;
update tool_recall.settings set conversation_cap = 2;
select is(tool_recall._purge_over_cap_batch(1000), 3::bigint, 'raised and lowered further');
select is(
  (select array_agg(m.tool_name::text order by m.seq) from tool_recall.message_tool_results as m),
  array['tool_5', 'tool_6'], 'the newest stay'
);

select * from finish();
rollback;
