\ir ../setup.psql
select plan(5);

select throws_ok(
  'insert into tool_recall.settings default values', null, null, 'a second row is refused'
);
select throws_ok(
  'insert into tool_recall.settings (only_row) values (false)', null, null,
  'in whatever way it is tried'
);
select throws_ok(
  'delete from tool_recall.settings', null, null, 'the row cannot be deleted'
);
select throws_ok(
  'truncate tool_recall.settings', null, null, 'nor truncated away'
);
select is(
  (select count(*) from tool_recall.settings), 1::bigint, 'one row is there'
);

select * from finish();
rollback;
