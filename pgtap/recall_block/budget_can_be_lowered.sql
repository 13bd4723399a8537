\ir ../setup.psql
select plan(2);
-- 73 of the 128 tokens are for lines.
update tool_recall.settings set token_budget = 128;
select pg_temp.record_tools(5);

update tool_recall.message_tool_results set recall_tokens = 24;
set local role recall_app;
select is(pg_temp.recalled(), array['tool_5', 'tool_4', 'tool_3'], 'three lines of 24 tokens fit');
reset role;
update tool_recall.message_tool_results set recall_tokens = 25;
set local role recall_app;
select is(pg_temp.recalled(), array['tool_5', 'tool_4'], 'three of 25 do not');

select * from finish();
rollback;
