-- The newest conversation_cap rows of each conversation stay. A row trigger that counts deadlocks and
-- overshoots under concurrent writers; this takes one advisory lock per bucket of conversations, in
-- order, held to commit, and deletes only as many rows as were added, so that it does not read on over
-- rows that are already deleted.
create or replace function tool_recall._enforce_cap() returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
set jit = off
as $$
declare
  v_cap integer;
  r record;
begin
  for r in
    select distinct hashtext(n.conversation_id::text collate "C") & 1023 as bucket
    from new_rows as n
    order by bucket
  loop
    perform pg_advisory_xact_lock(1953653091, r.bucket);
  end loop;
  select s.conversation_cap into v_cap from tool_recall.settings as s where s.only_row;
  for r in
    select n.conversation_id, n.user_id, count(*) as added
    from new_rows as n
    group by n.conversation_id, n.user_id
  loop
    delete from tool_recall.message_tool_results as d
    where d.user_id = r.user_id and d.id in (
      select m.id
      from tool_recall.message_tool_results as m
      where m.conversation_id = r.conversation_id and m.user_id = r.user_id
      order by m.created_at desc, m.seq desc
      offset v_cap limit r.added
    );
  end loop;
  return null;
end
$$;
comment on function tool_recall._enforce_cap() is
  'After insert: keeps the newest settings.conversation_cap rows of each conversation';

do $trigger$
begin
  if not exists (
    select from pg_catalog.pg_trigger as t
    where t.tgrelid = 'tool_recall.message_tool_results'::regclass and t.tgname = 'enforce_cap'
  ) then
    create trigger enforce_cap after insert on tool_recall.message_tool_results
    referencing new table as new_rows
    for each statement execute function tool_recall._enforce_cap();
  end if;
end
$trigger$;
