\ir ../setup.psql
select plan(1);
select pg_temp.record('ruled', '{}', '{"orders": [1]}');
select tool_recall.set_summary_rule('ruled', 'other words');

select unalike(
  (select m.recall_line from tool_recall.message_tool_results as m), '%other words%',
  'a rule speaks for what is recorded from now on'
);

select * from finish();
rollback;
