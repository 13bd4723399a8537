\ir ../setup.psql
select plan(2);
select pg_temp.record('newer', created_at => now() - interval '47 hours');
select pg_temp.record('older', created_at => now() - interval '49 hours');
update tool_recall.settings set retention_days = 2;

select is(tool_recall._purge_expired_batch(1000), 1::bigint, 'the setting decides');
select is(
  (select array_agg(m.tool_name::text) from tool_recall.message_tool_results as m), array['newer'],
  'days are of 24 hours'
);

select * from finish();
rollback;
