\ir ../setup.psql
select plan(6);
\ir erase.psql
select pg_temp.record('list_members', '{}', '{"email": "jane"}') as changed \gset
select pg_temp.erase('list_members', '$.email', 'jane');

select throws_ok(
  $$ update tool_recall.message_tool_results set tool_output = '1' $$, 'TR002', null,
  'nothing else may change an output, before or after'
);
select is_empty('select from tool_recall._erasures', 'no leave to change a row is left behind');
insert into tool_recall._erasures select m.id from tool_recall.message_tool_results as m;
select throws_ok(
  'update tool_recall.message_tool_results set created_at = now()', 'TR002', null,
  'even with it the time stays'
);
select throws_ok(
  $$ update tool_recall.message_tool_results set user_id = pg_temp.id('bob') $$, 'TR002', null,
  'and so do the keys'
);
set local role recall_app;
select throws_ok(
  'insert into tool_recall._erasures select gen_random_uuid()', '42501', null,
  'the chat service cannot give itself that leave'
);
select throws_ok(
  $$ update tool_recall.message_tool_results set tool_output = '1' $$, '42501', null,
  'nor make use of it'
);

select * from finish();
rollback;
