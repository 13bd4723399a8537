\ir ../setup.psql
select plan(1);
update tool_recall.settings set max_rows = 2;
set local role recall_app;
select pg_temp.record_tools(4);

select is(pg_temp.recalled(), array['tool_4', 'tool_3'], 'the newest two have a line');

select * from finish();
rollback;
