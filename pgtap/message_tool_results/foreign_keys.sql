\ir ../setup.psql
select plan(1);

select results_eq(
  $$
    select
      c.confrelid::regclass::text, a.attname::text collate "default",
      b.attname::text collate "default", c.confdeltype::text, c.convalidated
    from pg_constraint as c
      join pg_attribute as a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
      join pg_attribute as b on b.attrelid = c.confrelid and b.attnum = c.confkey[1]
    where c.conrelid = 'tool_recall.message_tool_results'::regclass and c.contype = 'f'
    order by c.confrelid::regclass::text collate "C"
  $$,
  $$
    values
      ('conversations', 'conversation_id', 'id', 'c', true),
      ('messages', 'message_id', 'id', 'c', true),
      ('users', 'user_id', 'id', 'c', true)
  $$,
  'users, conversations and messages are referenced, each on delete cascade'
);

select * from finish();
rollback;
