\ir ../setup.psql
select plan(1);
update tool_recall.settings set conversation_cap = 2;
set local role recall_app;
select pg_temp.record('a');
select pg_temp.record('b', message => 'ada later message');
select pg_temp.record('c');

select is(
  (select array_agg(m.tool_name::text order by m.seq) from tool_recall.message_tool_results as m),
  array['b', 'c'], 'the cap is of the conversation, not of the message'
);

select * from finish();
rollback;
