\ir ../setup.psql
select plan(1);

select lives_ok(
  $$ select tool_recall.drop_summary_rule('never set', '{"a": 1}') $$,
  'a rule that is not there is no failure'
);

select * from finish();
rollback;
