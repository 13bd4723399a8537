\ir ../setup.psql
select plan(6);

select throws_ok(
  $$ select tool_recall.set_capture_rule(null) $$, 'TR003', null, 'no tool'
);
select throws_ok($$ select tool_recall.set_capture_rule(' ') $$, 'TR003', null, 'a blank one');
select throws_ok(
  $$ select tool_recall.set_capture_rule('t', 'some') $$, 'TR003', null, 'an unknown store'
);
select throws_ok(
  $$ select tool_recall.set_capture_rule('t', null) $$, 'TR003', null, 'none at all'
);
select throws_ok(
  $$ select tool_recall.set_capture_rule('t', redact_paths => null) $$, 'TR003', null,
  'null for paths'
);
select throws_ok(
  $$ select tool_recall.set_capture_rule('t', redact_paths => array[null]) $$, 'TR003', null,
  'null for a path'
);

select * from finish();
rollback;
