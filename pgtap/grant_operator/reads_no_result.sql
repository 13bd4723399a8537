\ir ../setup.psql
select plan(6);
select tool_recall.grant_operator('recall_operator');
select pg_temp.record();
set local role recall_operator;

select is(
  (select s.version from tool_recall.status as s), tool_recall.version(), 'an operator reads status'
);
select is(
  (select m.value from tool_recall.metrics as m where m.name = 'tool_results_persisted_total'),
  1::numeric, 'and metrics'
);
select throws_ok(
  'select * from tool_recall.message_tool_results', '42501', null, 'it may read no result'
);
select throws_ok(
  'delete from tool_recall.message_tool_results', '42501', null, 'nor delete one that is not due'
);
select throws_ok('select pg_temp.block()', '42501', null, 'nor recall');
select throws_ok('select pg_temp.record()', '42501', null, 'nor record');

select * from finish();
rollback;
