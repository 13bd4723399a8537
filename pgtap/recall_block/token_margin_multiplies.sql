\ir ../setup.psql
select plan(2);
-- 2 * 55 tokens are taken: 190 are left for lines, which count double.
update tool_recall.settings set token_margin = 2.0;
select pg_temp.record_tools(5);

update tool_recall.message_tool_results set recall_tokens = 19;
set local role recall_app;
select is(
  pg_temp.recalled(), array['tool_5', 'tool_4', 'tool_3', 'tool_2', 'tool_1'],
  'five lines of 19 tokens fit'
);
reset role;
update tool_recall.message_tool_results set recall_tokens = 20;
set local role recall_app;
select is(
  pg_temp.recalled(), array['tool_5', 'tool_4', 'tool_3', 'tool_2'], 'five of 20 do not'
);

select * from finish();
rollback;
