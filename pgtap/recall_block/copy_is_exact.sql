\ir ../setup.psql
select plan(1);
set local role recall_app;
select pg_temp.record('ping', '{}', '1', created_at => '2026-05-12 10:00+00');

select is(
  tool_recall._recall_block(pg_temp.id('ada chat'), pg_temp.id('ada'), '2026-05-13 00:00+00'),
  U&'Previously fetched (this conversation, snapshots \2014 not live data):\000A'
  '- 2026-05-12 ping(): 1\000A'
  '\000A'
  'IMPORTANT: when referencing a row above, always prefix with "as of <date>".\000A'
  'If the user is asking about CURRENT state, call the tool fresh \2014 do not\000A'
  'present these snapshots as live data.',
  'header, lines, a blank line and the instruction, without a line break at the end'
);

select * from finish();
rollback;
