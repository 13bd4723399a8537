\ir ../setup.psql
select plan(2);
select tool_recall.set_summary_rule('heartbeat', null);
set local role recall_app;
select pg_temp.record('a', created_at => pg_temp.at(1, '10:00'));
select pg_temp.record('heartbeat', created_at => pg_temp.at(1, '11:00'));
select pg_temp.record('b', created_at => pg_temp.at(1, '12:00'));

select is(pg_temp.recalled(), array['b', 'a'], 'a hidden result among others has no line');
select doesnt_match(pg_temp.block(), '\n\n.*\n\n', 'nor an empty one');

select * from finish();
rollback;
