\ir ../setup.psql
select plan(2);
select tool_recall.set_summary_rule('ruled', 'as before');

select throws_ok(
  $$ select tool_recall.set_summary_rule('ruled', '{count($.x)') $$, 'TR003', null,
  'a bad template is refused at once'
);
select is(
  tool_recall.summarize_tool_result('ruled', '{}', '1'), 'as before', 'and the rule stays as it was'
);

select * from finish();
rollback;
