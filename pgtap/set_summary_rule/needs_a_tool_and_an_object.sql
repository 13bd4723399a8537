\ir ../setup.psql
select plan(5);

select throws_ok(
  $$ select tool_recall.set_summary_rule(null, 'x') $$, 'TR003', null, 'no tool name'
);
select throws_ok($$ select tool_recall.set_summary_rule(' ', 'x') $$, 'TR003', null, 'a blank one');
select throws_ok(
  $$ select tool_recall.set_summary_rule('a', 'x', null) $$, 'TR003', null, 'input_match null'
);
select throws_ok(
  $$ select tool_recall.set_summary_rule('a', 'x', '[]') $$, 'TR003', null, 'input_match an array'
);
select throws_ok(
  $$ select tool_recall.set_summary_rule('a', 'x', '"b"') $$, 'TR003', null, 'input_match a text'
);

select * from finish();
rollback;
