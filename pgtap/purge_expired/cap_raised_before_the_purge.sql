\ir ../setup.psql
select plan(1);
select pg_temp.record_tools(6);
update tool_recall.settings set conversation_cap = 2;
update tool_recall.settings set conversation_cap = 10;

select is(
  tool_recall._purge_over_cap_batch(1000), 0::bigint, 'a cap that was raised again deletes nothing'
);

select * from finish();
rollback;
