\ir ../setup.psql
\ir value.psql
select plan(8);
select is(
  array[
    pg_temp.metric('tool_results_cap_deletes_total'),
    pg_temp.metric('tool_results_retention_deletes_total'),
    pg_temp.metric('tool_results_forgotten_total')
  ],
  array[0, 0, 0]::numeric[], 'all are there from the start'
);
select is_empty(
  $$ select from tool_recall.metrics as m where m.kind = 'counter' and m.labels <> '{}' $$,
  'but for those of a tool or kind that was not seen yet'
);
update tool_recall.settings set conversation_cap = 3;
select pg_temp.record_tools(5);
select is(pg_temp.metric('tool_results_cap_deletes_total'), 2::numeric, 'trimmed by the cap');
update tool_recall.settings set conversation_cap = 2;
select tool_recall._purge_over_cap_batch(100);
select is(
  pg_temp.metric('tool_results_cap_deletes_total'), 3::numeric, 'and by a purge once it was lowered'
);
select pg_temp.record(
  'old', conversation => 'ada second chat', message => 'ada second message',
  created_at => now() - interval '181 days'
);
select tool_recall._purge_expired_batch(100);
select is(pg_temp.metric('tool_results_retention_deletes_total'), 1::numeric, 'expired');
select is(
  pg_temp.metric('tool_results_cap_deletes_total'), 3::numeric, 'which is another count'
);
select tool_recall.forget_conversation(pg_temp.id('ada chat'));
select is(pg_temp.metric('tool_results_forgotten_total'), 2::numeric, 'forgotten');
select pg_temp.record('old');
select tool_recall.forget_user(pg_temp.id('ada'));
select is(pg_temp.metric('tool_results_forgotten_total'), 3::numeric, 'of a user too');

select * from finish();
rollback;
