\ir ../setup.psql
select plan(4);
select tool_recall.grant_operator('recall_operator');
select pg_temp.record('expired', created_at => now() - interval '181 days');
select pg_temp.record('kept');
set local role recall_operator;

-- purge_expired itself commits, which a test in a transaction cannot; these are what it calls.
select is(tool_recall._purge_expired_batch(10), 1::bigint, 'an operator deletes what is expired');
select is(tool_recall._purge_over_cap_batch(10), 0::bigint, 'and what is over the cap');
select lives_ok(
  'select tool_recall._fold_counters(), tool_recall._note_purge(1)', 'and keeps account'
);
reset role;
select results_eq(
  'select m.tool_name::text from tool_recall.message_tool_results as m', $$ values ('kept') $$,
  'what is not due stays'
);

select * from finish();
rollback;
