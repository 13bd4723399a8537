\ir ../setup.psql
select plan(6);
select pg_temp.record_tools(8);
select pg_temp.record('tied_' || n, created_at => pg_temp.at(1, '11:00'))
from generate_series(1, 4) as n;
select pg_temp.record(
  'elsewhere_' || n, conversation => 'ada second chat', message => 'ada second message'
)
from generate_series(1, 3) as n;
select is(tool_recall._purge_over_cap_batch(1000), 0::bigint, 'within the cap nothing is deleted');

update tool_recall.settings set conversation_cap = 3;
select is(
  (select count(*) from tool_recall.message_tool_results), 15::bigint,
  'a lowered cap waits for the purge'
);
select is(tool_recall._purge_over_cap_batch(5), 5::bigint, 'a batch deletes as many as it may');
select is(tool_recall._purge_over_cap_batch(5), 4::bigint, 'and the rest');
select is(tool_recall._purge_over_cap_batch(5), 0::bigint, 'until all are within it');
select is(
  (select array_agg(m.tool_name::text order by m.seq) from tool_recall.message_tool_results as m),
  array['tied_2', 'tied_3', 'tied_4', 'elsewhere_1', 'elsewhere_2', 'elsewhere_3'],
  'the newest three of each conversation stay, of a tie those recorded last'
);

select * from finish();
rollback;
