\ir ../setup.psql
select plan(8);
set local role recall_app;

select throws_ok(
  $$ select pg_temp.record(tool_name => null) $$, 'TR002', null, 'null is no tool name'
);
select throws_ok(
  $$ select pg_temp.record(tool_name => '') $$, 'TR002', null, 'an empty text is none'
);
select throws_ok(
  $$ select pg_temp.record(tool_name => E' \t\r\n') $$, 'TR002', null, 'space is none'
);
select throws_ok(
  $$ select pg_temp.record(tool_name => U&'\00A0\2003\3000') $$, 'TR002', null,
  'Unicode''s spaces are none'
);
select throws_ok(
  $$ select pg_temp.record(tool_name => repeat('x', 129)) $$, 'TR002', null,
  '129 characters are too many'
);
select throws_ok(
  $$ select pg_temp.record(tool_name => repeat(' ', 129)) $$, 'TR002', null,
  'and so are 129 spaces'
);
select lives_ok(
  $$ select pg_temp.record(tool_name => repeat('x', 128)) $$, '128 characters are accepted'
);
select lives_ok(
  $$ select pg_temp.record(tool_name => repeat(U&'\65E5', 128)) $$,
  'characters are counted, not bytes'
);

select * from finish();
rollback;
