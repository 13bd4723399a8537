\ir ../setup.psql
select plan(1);
select tool_recall.set_summary_rule('ruled', 'first', '{"a": 1, "b": 2}');
select tool_recall.set_summary_rule('ruled', 'second', '{"b": 2, "a": 1}');

select results_eq(
  'select template from tool_recall.summary_rules', $$ values ('second') $$,
  'the same tool and match have one rule'
);

select * from finish();
rollback;
