\ir ../setup.psql
select plan(3);
select tool_recall.set_capture_rule('t', redact_paths => array['$.who', '$.name']);
select tool_recall.set_summary_rule('t', 'is {first($.name)}');
select pg_temp.record('t', '{"who": "ada"}', '{"name": "Ada"}') as id \gset

select matches(
  (select m.recall_line from tool_recall.message_tool_results as m where m.id = :'id'),
  '^- \d{4}-\d\d-\d\d t\(who="\[redacted\]"\): is "\[redacted\]"$',
  'the line is made of what is stored, input and output'
);
select unalike(pg_temp.block(), '%Ada%', 'nothing of it is in the block');
select is(
  (select m.repairs from tool_recall.message_tool_results as m where m.id = :'id'),
  '{"redacted": 2}', 'and it is counted'
);

select * from finish();
rollback;
