\ir ../setup.psql
select plan(3);
select tool_recall.set_capture_rule('t', 'none');
select tool_recall.set_capture_rule('other', 'none');
select tool_recall.drop_capture_rule('t');

select isnt(pg_temp.record('t'), null, 'what the tool returns is stored again');
select is(pg_temp.record('other'), null, 'another tool''s rule stays');
select lives_ok(
  $$ select tool_recall.drop_capture_rule('nothing') $$, 'dropping no rule is no error'
);

select * from finish();
rollback;
