\ir ../setup.psql
select plan(1);
set local role recall_app;
select pg_temp.record();
select pg_temp.record();
select pg_temp.record(tool_use_id => '');
select pg_temp.record(tool_use_id => '');

select is(
  (select count(*) from tool_recall.message_tool_results), 4::bigint,
  'results without a call id, or with an empty one, are stored each time'
);

select * from finish();
rollback;
