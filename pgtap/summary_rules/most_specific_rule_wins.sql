\ir ../setup.psql
select plan(7);
select tool_recall.set_summary_rule('ruled', 'two keys', '{"a": 1, "b": 2}');
select tool_recall.set_summary_rule('ruled', 'one key', '{"a": 1}');
select tool_recall.set_summary_rule('ruled', 'any', '{}');
select tool_recall.set_summary_rule('other', 'other tool', '{"a": 1, "b": 2, "c": 3}');
set local role recall_app;

create function pg_temp.rule_for(tool_input jsonb) returns text language sql stable as $$
  select tool_recall.summarize_tool_result('ruled', rule_for.tool_input, '1');
$$;

select is(
  pg_temp.rule_for('{"a": 1, "b": 2, "c": 3}'), 'two keys', 'the match with most keys wins'
);
select is(pg_temp.rule_for('{"a": 1, "b": 3}'), 'one key', 'a match must match whole');
select is(pg_temp.rule_for('{"a": "1"}'), 'any', 'in type too');
select is(pg_temp.rule_for('{}'), 'any', 'the empty match is for every input');
select is(pg_temp.rule_for('"text"'), 'any', 'also one that is no object');
select is(pg_temp.rule_for('null'), 'any', 'also null');
select is(
  tool_recall.summarize_tool_result('unruled', '{"a": 1, "b": 2}', '1'), '1',
  'a tool without rules has none'
);

select * from finish();
rollback;
