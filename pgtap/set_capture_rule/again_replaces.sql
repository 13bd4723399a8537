\ir ../setup.psql
select plan(2);
select tool_recall.set_capture_rule('t', 'none', array['$.a']);
select tool_recall.set_capture_rule('t', redact_paths => array['$.b']);

select results_eq(
  'select store, redact_paths from tool_recall.capture_rules',
  $$ values ('full', array['$.b']) $$,
  'a tool has one rule, the last that was set'
);
select pg_temp.record('t', tool_output => '{"a": 1, "b": 2}') as id \gset
select is(
  (select m.tool_output from tool_recall.message_tool_results as m where m.id = :'id'),
  '{"a": 1, "b": "[redacted]"}', 'which holds from then on'
);

select * from finish();
rollback;
