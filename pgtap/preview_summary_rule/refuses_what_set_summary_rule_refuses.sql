\ir ../setup.psql
select plan(4);

select throws_ok(
  $$ select * from tool_recall.preview_summary_rule('plans', '{count(') $$, 'TR003',
  'template, position 1: { without }', 'a template that does not parse'
);
select throws_ok(
  $$ select * from tool_recall.preview_summary_rule('', 'text') $$, 'TR003', null, 'no tool'
);
select throws_ok(
  $$ select * from tool_recall.preview_summary_rule('plans', 'text', '[]') $$, 'TR003', null,
  'a match that is no object'
);
select throws_ok(
  $$ select * from tool_recall.preview_summary_rule('plans', 'text', '{}', -1) $$, '22023', null,
  'a negative number of results'
);

select * from finish();
rollback;
