\ir ../setup.psql
select plan(3);
set local role recall_app;

select throws_ok(
  'select * from tool_recall.metrics', '42501', null, 'the chat service may not read them'
);
select throws_ok(
  $$ select tool_recall._count('tool_results_forgotten_total', '', 1) $$, '42501', null,
  'nor count what it likes'
);
select throws_ok(
  'select * from tool_recall._counters', '42501', null, 'nor read what they are made of'
);

select * from finish();
rollback;
