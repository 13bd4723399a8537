\ir ../setup.psql
select plan(5);
select pg_temp.record_tools(6);
update tool_recall.settings set conversation_cap = 5;
select is(tool_recall._purge_over_cap_batch(1000), 1::bigint, 'lowered once');
select is(tool_recall._purge_over_cap_batch(1000), 0::bigint, 'and done');

update tool_recall.settings set conversation_cap = 100;
select pg_temp.record('later_' || n) from generate_series(1, 15) as n;
update tool_recall.settings set conversation_cap = 10;
select is(
  tool_recall._purge_over_cap_batch(1000), 10::bigint,
  'raised, filled, and lowered to more than it was'
);
update tool_recall.settings set conversation_cap = 2;
select is(tool_recall._purge_over_cap_batch(1000), 8::bigint, 'lowered further');
select is(
  (select array_agg(m.tool_name::text order by m.seq) from tool_recall.message_tool_results as m),
  array['later_14', 'later_15'], 'the newest stay'
);

select * from finish();
rollback;
