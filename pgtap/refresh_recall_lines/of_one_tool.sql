\ir ../setup.psql
select plan(1);
select pg_temp.record('a', '{}', '[1]');
select pg_temp.record('b', '{}', '[1]');
select tool_recall.set_summary_rule('a', 'new a');
select tool_recall.set_summary_rule('b', 'new b');
select tool_recall._refresh_batch('a', '00000000-0000-0000-0000-000000000000', 500);

select is(
  (
    select array_agg(m.recall_line ~ 'new [ab]$' order by m.seq)
    from tool_recall.message_tool_results as m
  ),
  array[true, false], 'only its lines are rewritten'
);

select * from finish();
rollback;
