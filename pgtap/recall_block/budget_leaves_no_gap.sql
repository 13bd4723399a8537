\ir ../setup.psql
select plan(1);
select pg_temp.record('old', '{}', '1', created_at => pg_temp.at(1, '10:00'));
select pg_temp.record('large', '{}', '1', created_at => pg_temp.at(1, '10:01'));
select pg_temp.record('newest', '{}', '1', created_at => pg_temp.at(1, '10:02'));
update tool_recall.message_tool_results
set recall_tokens = case tool_name when 'large' then 230 else 20 end;
set local role recall_app;

select is(
  pg_temp.recalled(), array['newest'],
  'behind the first line that does not fit none is shown, even where it would fit'
);

select * from finish();
rollback;
