\ir ../setup.psql
select plan(1);
set local role recall_app;
select pg_temp.record_tools(7);

select is(
  pg_temp.recalled(), array['tool_7', 'tool_6', 'tool_5', 'tool_4', 'tool_3'],
  'the newest five have a line'
);

select * from finish();
rollback;
