\ir ../setup.psql
select plan(2);
-- Header and instruction take 55 tokens of the 300: five lines of 49 fit, five of 50 do not.
select pg_temp.record_tools(5);

update tool_recall.message_tool_results set recall_tokens = 49;
set local role recall_app;
select is(
  pg_temp.recalled(), array['tool_5', 'tool_4', 'tool_3', 'tool_2', 'tool_1'],
  'lines that fill the budget exactly are shown'
);
reset role;
update tool_recall.message_tool_results set recall_tokens = 50;
set local role recall_app;
select is(
  pg_temp.recalled(), array['tool_5', 'tool_4', 'tool_3', 'tool_2'],
  'one that would pass it is not, the oldest first'
);

select * from finish();
rollback;
