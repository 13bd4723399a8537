\ir ../setup.psql
select plan(2);
select pg_temp.record();

select throws_ok(
  $$ update tool_recall.message_tool_results set recall_line = repeat('x', 181) $$,
  '23514', null, 'a line of 181 bytes is refused'
);
select throws_ok(
  $$ update tool_recall.message_tool_results set recall_line = E'- a\n- b' $$,
  '23514', null, 'a line with a line break in it is refused'
);

select * from finish();
rollback;
