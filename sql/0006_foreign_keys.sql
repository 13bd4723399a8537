-- References the host's tables, each on delete cascade.
-- Locks: SHARE ROW EXCLUSIVE on users, conversations and messages until commit: reads go on, writes
-- to them wait. Our table is empty, so nothing is scanned. Rewrite: no. Breaking: no.
-- Runs: after functions, so that those locks are held for the shortest time.

do $foreign_keys$
declare
  r record;
begin
  for r in
    select k.column_name, k.constraint_name, b.schema_name, b.table_name, b.key_column
    from (values
      ('users', 'user_id', 'message_tool_results_user_id_fkey'),
      ('conversations', 'conversation_id', 'message_tool_results_conversation_id_fkey'),
      ('messages', 'message_id', 'message_tool_results_message_id_fkey')
    ) as k (part, column_name, constraint_name)
      join tool_recall._binding b on b.part = k.part
    order by k.part
  loop
    execute pg_catalog.format(
      'alter table tool_recall.message_tool_results add constraint %I '
      'foreign key (%I) references %I.%I (%I) on delete cascade',
      r.constraint_name, r.column_name, r.schema_name, r.table_name, r.key_column);
  end loop;
end
$foreign_keys$;

drop table tool_recall._binding;
