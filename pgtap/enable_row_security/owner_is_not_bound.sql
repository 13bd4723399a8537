\ir ../setup.psql
select plan(3);
\ir ../row_security.psql

select ok(
  row_security_active('tool_recall.message_tool_results'), 'the chat service''s role is bound'
);
reset role;
select ok(
  not row_security_active('tool_recall.message_tool_results'),
  'the owner is not, so his purge and his dump see all'
);
select is(pg_temp.seen(), '{adas,bobs}', 'every row');

select * from finish();
rollback;
