\ir ../setup.psql
\ir value.psql
select plan(2);
select tool_recall.set_capture_rule('t', 'none');
set local role recall_app;
select pg_temp.record('t');
select pg_temp.record('t');
reset role;

select is(
  pg_temp.metric('tool_results_not_stored_total', 't'), 2::numeric, 'what a rule leaves out'
);
select is(pg_temp.metric('tool_results_persisted_total', 't'), null, 'is not persisted');

select * from finish();
rollback;
