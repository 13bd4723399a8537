\ir ../setup.psql
select plan(4);
set local role recall_app;
select pg_temp.record(tool_use_id => 'call_1', tool_output => '{"n": 1}') as first_id \gset

select is(
  pg_temp.record(tool_use_id => 'call_1', tool_output => '{"n": 1}'), :'first_id'::uuid,
  'the same call id, message and content again: the first row''s id'
);
select is(
  pg_temp.record(tool_use_id => 'call_1', tool_output => ' {"n" : 1 }'), :'first_id'::uuid,
  'content is compared as JSON, not as text'
);
select is(
  pg_temp.record(
    tool_use_id => 'call_1', tool_output => '{"n": 1}', created_at => now() - interval '1 hour'
  ),
  :'first_id'::uuid, 'a retry may say another time'
);
select results_eq(
  'select id, repairs from tool_recall.message_tool_results',
  format('values (%L::uuid, null::jsonb)', :'first_id'),
  'nothing was added or marked'
);

select * from finish();
rollback;
