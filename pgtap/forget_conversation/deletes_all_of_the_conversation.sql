\ir ../setup.psql
select plan(3);
set local role recall_app;
select pg_temp.record();
select pg_temp.record(message => 'ada later message');
select pg_temp.record(
  conversation => 'ada second chat', message => 'ada second message'
) as elsewhere \gset

select is(
  tool_recall.forget_conversation(conversation_id => pg_temp.id('ada chat')), 2::bigint,
  'it says how many rows there were'
);
select results_eq(
  'select id from tool_recall.message_tool_results', format('values (%L::uuid)', :'elsewhere'),
  'all of the conversation are gone, the user''s others are not'
);
select is(
  tool_recall.forget_conversation(pg_temp.id('ada chat')), 0::bigint, 'again there are none'
);

select * from finish();
rollback;
