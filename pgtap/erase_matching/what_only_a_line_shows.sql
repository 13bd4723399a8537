\ir ../setup.psql
select plan(4);
\ir erase.psql
select tool_recall.set_capture_rule('find_member', 'line');
select tool_recall.set_summary_rule('find_member', 'found {first($.members[*].name)}');
select pg_temp.record('find_member', '{}', '{"members": [{"name": "Jane Doe"}]}') as hers \gset
select pg_temp.record('find_member', '{}', '{"members": [{"name": "John Doe"}]}') as his \gset

select is(
  pg_temp.erase('find_member', '$.members[*].name', 'Jane Doe'), '{1,0}',
  'a line whose output was not stored is searched too'
);
select is((pg_temp.row_of(:'hers')).recall_line, '', 'it goes');
select is(
  (pg_temp.row_of(:'hers')).repairs, '{"redacted": 1, "not_stored": 1}', 'and the row says so'
);
select matches((pg_temp.row_of(:'his')).recall_line, 'John Doe', 'another''s stays');

select * from finish();
rollback;
