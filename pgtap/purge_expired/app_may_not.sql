\ir ../setup.psql
select plan(3);
set local role recall_app;

select throws_ok(
  'call tool_recall.purge_expired()', '42501', null, 'the chat service may not purge'
);
select throws_ok(
  'select tool_recall._purge_expired_batch(1)', '42501', null, 'nor run a batch of it'
);
select throws_ok(
  'select tool_recall._purge_over_cap_batch(1)', '42501', null, 'of either kind'
);

select * from finish();
rollback;
