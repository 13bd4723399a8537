-- The newest conversation_cap rows of each conversation stay. A row trigger that counts deadlocks
-- and overshoots under concurrent writers; this takes one advisory lock per bucket of
-- conversations, in order, held to commit, and deletes only as many rows as were added, so that it
-- does not read on over rows that are already deleted.
create or replace function tool_recall._enforce_cap() returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
as $$
declare
  v_over uuid[];
  v_deleted bigint := 0;
  v_read_committed boolean :=
    current_setting('transaction_isolation') not in ('repeatable read', 'serializable');
  v_counted boolean := false;
  r record;
begin
  -- A dump is being loaded, settings and counters with it.
  if not exists (select from tool_recall.settings) then
    return null;
  end if;
  perform pg_advisory_xact_lock(1953653091, b.bucket)
  from (
    select hashtext(n.conversation_id::text collate "C") & 1023 as bucket
    from new_rows as n
    order by bucket
  ) as b;
  -- A statement of its own, so that it sees what was committed while it waited for the locks.
  v_over := array(
    select x.id
    from (
      select n.conversation_id, n.user_id, count(*) as added
      from new_rows as n
      group by n.conversation_id, n.user_id
    ) as a
      cross join lateral (
        select m.id
        from tool_recall.message_tool_results as m
        where m.conversation_id = a.conversation_id and m.user_id = a.user_id
        order by m.created_at desc, m.seq desc
        offset (select s.conversation_cap from tool_recall.settings as s where s.only_row)
        limit a.added + (
          -- All that is over, where a writer could not see the others.
          select count(*) * 1000000
          from tool_recall._over_cap as o
          where o.bucket = hashtext(a.conversation_id::text collate "C") & 1023
        )
      ) as x
  );
  if not v_read_committed then
    -- Such a writer sees neither what others added nor what they deleted: the next insert tidies.
    insert into tool_recall._over_cap
    select distinct hashtext(n.conversation_id::text collate "C") & 1023 from new_rows as n;
    begin
      delete from tool_recall.message_tool_results as d where d.id = any (v_over);
      get diagnostics v_deleted = row_count;
    exception when serialization_failure then
      null;
    end;
  elsif v_over <> '{}' then
    delete from tool_recall.message_tool_results as d where d.id = any (v_over);
    get diagnostics v_deleted = row_count;
  end if;

  if v_deleted > 0 then
    perform tool_recall._count('tool_results_cap_deletes_total', '', v_deleted);
  end if;
  -- Nearly always one tool, whose counter this backend has: no call for that.
  select min(n.tool_name::text) as tool, max(n.tool_name::text) as other, count(*) as amount,
    count(n.repairs) > 0 as repaired
  into r
  from new_rows as n;
  if r.tool = r.other and v_read_committed then
    update tool_recall._counters as c
    set value = c.value + r.amount, part = (c.value + r.amount) / 128
    where c.ctid = (
      select k.ctid
      from tool_recall._counters as k
      where k.name = 'tool_results_persisted_total' and k.label = r.tool
        and k.slot = pg_backend_pid() & 63
      order by k.part desc
      limit 1
      for update skip locked
    );
    v_counted := found;
  end if;
  if not v_counted then
    perform tool_recall._count_tool('tool_results_persisted_total', g.tool_name, g.amount)
    from (
      select n.tool_name, count(*) as amount from new_rows as n group by n.tool_name
    ) as g;
  end if;
  if r.repaired then
    perform tool_recall._count('tool_results_repaired_total', g.kind, g.amount)
    from (
      select k.kind, count(*) as amount
      from new_rows as n cross join lateral tool_recall._repair_kinds(n.repairs) as k (kind)
      group by k.kind
    ) as g;
  end if;
  return null;
end
$$;
comment on function tool_recall._enforce_cap() is
  'After insert: keeps the newest settings.conversation_cap rows of each conversation, and counts '
  'what was stored, repaired and deleted';

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
