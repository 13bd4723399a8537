\ir ../setup.psql
\ir value.psql
select plan(4);
select tool_recall.set_capture_rule('t', 'line', array['$.p']);
select pg_temp.record('t', tool_output => '{"p": [1]}');
select pg_temp.record(repairs => '{"nul": 7, "mine": 1, "yours": 2}');

select is(pg_temp.metric('tool_results_repaired_total', 'redacted'), 1::numeric, 'in the database');
select is(pg_temp.metric('tool_results_repaired_total', 'not_stored'), 1::numeric, 'each kind');
select is(
  pg_temp.metric('tool_results_repaired_total', 'nul'), 1::numeric,
  'by the client: rows, not repairs'
);
select is(
  pg_temp.metric('tool_results_repaired_total', 'other'), 1::numeric,
  'kinds that we do not know are one'
);

select * from finish();
rollback;
