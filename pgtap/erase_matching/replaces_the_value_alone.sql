\ir ../setup.psql
select plan(9);
\ir erase.psql
set local role recall_app;
select pg_temp.record(
  'list_members', '{"asked_for": "jane"}',
  '{"members": [{"email": "jane", "age": 30}, {"email": "john", "age": 31}, {"nick": "jane"}]}'
) as changed \gset
select pg_temp.record('list_members', '{}', '{"members": [{"email": "john"}]}') as other \gset
select pg_temp.record('list_guests', '{}', '{"members": [{"email": "jane"}]}') as others_tool \gset
reset role;

select is(
  pg_temp.erase('list_members', '$.members[*].email', 'jane'), '{1,1}',
  'one row is changed, and the name still stands in it where the path does not reach'
);
select is(
  (pg_temp.row_of(:'changed')).tool_output,
  '{"members": [{"email": "[redacted]", "age": 30}, {"email": "john", "age": 31}, {"nick": '
  '"jane"}]}',
  'the value at the path is replaced, and no other'
);
select is((pg_temp.row_of(:'changed')).repairs, '{"redacted": 1}', 'the row says so');
select is(
  pg_temp.erase('list_members', '$.**', 'jane'), '{1,0}', 'everywhere is a path too'
);
select is(
  (pg_temp.row_of(:'changed')).tool_input, '{"asked_for": "[redacted]"}', 'inputs are searched too'
);
select is(
  (pg_temp.row_of(:'changed')).repairs, '{"redacted": 3}', 'what was replaced is added up'
);
select is(pg_temp.erase('list_members', '$.**', 'jane'), '{0,0}', 'again there is nothing');
select is((pg_temp.row_of(:'other')).repairs, null, 'other rows are not touched');
select is(
  (pg_temp.row_of(:'others_tool')).tool_output, '{"members": [{"email": "jane"}]}',
  'nor other tools'
);

select * from finish();
rollback;
