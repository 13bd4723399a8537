\ir ../setup.psql
select plan(1);
set local role recall_app;
select pg_temp.record('fine');
select pg_temp.record('failed', tool_output => '{"error": "timeout"}', is_error => true);

select is(pg_temp.recalled(), array['fine'], 'a failed call has no line');

select * from finish();
rollback;
