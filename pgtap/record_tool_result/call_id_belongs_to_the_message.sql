\ir ../setup.psql
select plan(2);
set local role recall_app;
select pg_temp.record(tool_use_id => 'call_1') as first_id \gset

select isnt(
  pg_temp.record(tool_use_id => 'call_1', message => 'ada later message'), :'first_id'::uuid,
  'the same call id and content in another message is another result'
);
select results_eq(
  'select tool_use_id, repairs from tool_recall.message_tool_results',
  $$ values ('call_1', null::jsonb), ('call_1', null::jsonb) $$,
  'both keep the call id'
);

select * from finish();
rollback;
