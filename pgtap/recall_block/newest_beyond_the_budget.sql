\ir ../setup.psql
select plan(2);
select pg_temp.record('old', '{}', '1', created_at => pg_temp.at(1, '10:00'));
select pg_temp.record('newest', '{}', '1', created_at => pg_temp.at(1, '10:01'));
update tool_recall.message_tool_results
set recall_tokens = case tool_name when 'newest' then 247 else 20 end;
set local role recall_app;

select is(pg_temp.recalled(), '{}', 'where the newest line does not fit none is shown');
select is(pg_temp.block(), '', 'and the block is empty, without a header');

select * from finish();
rollback;
