\ir ../setup.psql
select plan(1);
set local role recall_app;
select pg_temp.record('tool_' || n) from generate_series(1, 3) as n;

select is(
  tool_recall.recall_block(pg_temp.id('ada chat'), pg_temp.id('ada')),
  (
    select U&'Previously fetched (this conversation, snapshots \2014 not live data):\000A'
      || string_agg(l.recall_line, E'\n' order by l.created_at desc)
      || U&'\000A\000A'
      'IMPORTANT: when referencing a row above, always prefix with "as of <date>".\000A'
      'If the user is asking about CURRENT state, call the tool fresh \2014 do not\000A'
      'present these snapshots as live data.'
    from tool_recall.recall_lines(pg_temp.id('ada chat'), pg_temp.id('ada')) as l
  ),
  'the block is the copy around recall_lines'
);

select * from finish();
rollback;
