\ir ../setup.psql
select plan(5);
set local role recall_app;

create function pg_temp.insert_row(tool_name text, created_at timestamptz) returns void
language sql as $$
  insert into tool_recall.message_tool_results (
    user_id, conversation_id, message_id, tool_name, tool_input, tool_output, created_at
  ) values (
    pg_temp.id('ada'), pg_temp.id('ada chat'), pg_temp.id('ada message'),
    insert_row.tool_name, '{}', '{}', insert_row.created_at
  );
$$;

select throws_ok(
  $$ select pg_temp.insert_row('', now()) $$, 'TR002', null,
  'a plain INSERT with an empty tool name is refused'
);
select throws_ok(
  $$ select pg_temp.insert_row(U&' \2003\200B', now()) $$, 'TR002', null,
  'a plain INSERT with a tool name of nothing visible is refused'
);
select throws_ok(
  $$ select pg_temp.insert_row('a', 'infinity') $$, 'TR002', null,
  'a plain INSERT at infinity is refused'
);
select throws_ok(
  $$ select pg_temp.insert_row('a', '-infinity') $$, 'TR002', null,
  'a plain INSERT at minus infinity is refused'
);
select throws_ok(
  $$ select pg_temp.insert_row('a', clock_timestamp() + interval '6 minutes') $$, 'TR002', null,
  'a plain INSERT six minutes ahead is refused'
);

select * from finish();
rollback;
