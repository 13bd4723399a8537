\ir ../setup.psql
select plan(5);
select pg_temp.record('kept', created_at => now() - interval '4320 hours' + interval '1 minute');
select pg_temp.record(
  'old_' || n, created_at => now() - interval '4320 hours' - n * interval '1 hour'
)
from generate_series(1, 5) as n;

select is(tool_recall._purge_expired_batch(2), 2::bigint, 'a batch deletes as many as it may');
select is(
  (
    select array_agg(m.tool_name::text order by m.created_at)
    from tool_recall.message_tool_results as m
  ),
  array['old_3', 'old_2', 'old_1', 'kept'], 'the oldest first'
);
select is(tool_recall._purge_expired_batch(1000), 3::bigint, 'and says how many there were');
select is(tool_recall._purge_expired_batch(1000), 0::bigint, 'until none is left');
select is(
  (select array_agg(m.tool_name::text) from tool_recall.message_tool_results as m), array['kept'],
  'what is within retention stays'
);

select * from finish();
rollback;
