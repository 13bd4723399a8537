-- A procedure that commits can have no set clause, nor run as the installing role: it pins
-- search_path itself, again after each commit, and its batches run as the installing role, so that
-- an operator needs no right to read or delete results, and row security hides none from them.
create or replace procedure tool_recall.purge_expired(
  batch_size integer default 1000, max_seconds integer default 300, inout deleted bigint default 0
)
language plpgsql
as $$
declare
  v_started timestamptz := pg_catalog.clock_timestamp();
  v_batch bigint;
  v_phase text := 'expired';
begin
  perform pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
  if batch_size is null or batch_size < 1 or max_seconds is null or max_seconds < 0 then
    raise exception using errcode = '22023',
      message = 'batch_size must be at least 1 and max_seconds at least 0';
  end if;
  deleted := 0;
  loop
    if v_phase = 'expired' then
      v_batch := tool_recall._purge_expired_batch(batch_size);
    else
      v_batch := tool_recall._purge_over_cap_batch(batch_size);
    end if;
    deleted := deleted + v_batch;
    if v_batch = 0 then
      v_phase := case v_phase when 'expired' then 'over cap' else 'done' end;
    end if;
    if v_phase = 'done' then
      perform tool_recall._fold_counters();
    end if;
    perform tool_recall._note_purge(deleted);
    commit;
    perform pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
    exit when v_phase = 'done'
      or clock_timestamp() >= v_started + max_seconds * interval '1 second';
  end loop;
end
$$;
comment on procedure tool_recall.purge_expired(integer, integer, bigint) is
  'Deletes rows past settings.retention_days, then rows over a lowered settings.conversation_cap,'
  ' at most batch_size a transaction, until none is left or max_seconds have passed; at least one'
  ' batch. deleted: how many. Call it alone, outside a transaction; two at once do not collide';

create or replace function tool_recall._delete_unlocked(ids uuid[]) returns bigint
language plpgsql
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
as $$
declare
  v_deleted bigint;
begin
  delete from tool_recall.message_tool_results as d
  where d.id = any (array(
    select m.id
    from tool_recall.message_tool_results as m
    where m.id = any (ids)
    for update skip locked
  ));
  get diagnostics v_deleted = row_count;
  return v_deleted;
end
$$;
comment on function tool_recall._delete_unlocked(uuid[]) is
  'Deletes rows but for those that another transaction has locked: a purge never waits for a chat'
  ' turn, so it can deadlock with none';

create or replace function tool_recall._purge_expired_batch(batch_size integer) returns bigint
language plpgsql security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
as $$
declare
  v_before timestamptz;
  v_deleted bigint;
begin
  select clock_timestamp() - s.retention_days * interval '24 hours' into v_before
  from tool_recall.settings as s
  where s.only_row;
  v_deleted := tool_recall._delete_unlocked(array(
    select m.id
    from tool_recall.message_tool_results as m
    where m.created_at < v_before
    order by m.created_at
    limit batch_size
    for update skip locked
  ));
  if v_deleted > 0 then
    perform tool_recall._count('tool_results_retention_deletes_total', '', v_deleted);
  end if;
  return v_deleted;
end
$$;
comment on function tool_recall._purge_expired_batch(integer) is
  'Deletes up to batch_size of the oldest rows past retention; rows that another transaction has '
  'are left';

create or replace function tool_recall._purge_over_cap_batch(batch_size integer) returns bigint
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_cap integer;
  v_ids uuid[];
  v_deleted bigint;
begin
  select s.conversation_cap into v_cap from tool_recall.settings as s where s.only_row;
  -- The whole table is read only where conversations may be over the cap: it was lowered since it
  -- was last swept, or somebody wrote above READ COMMITTED.
  if not exists (select from tool_recall._retention_state as t where t.cap_bound > v_cap)
    and not exists (select from tool_recall._over_cap)
  then
    return 0;
  end if;
  v_ids := array(
    select o.id
    from (
      select m.conversation_id, m.user_id
      from tool_recall.message_tool_results as m
      group by m.conversation_id, m.user_id
      having count(*) > v_cap
    ) as c
      cross join lateral (
        select m.id
        from tool_recall.message_tool_results as m
        where m.conversation_id = c.conversation_id and m.user_id = c.user_id
        order by m.created_at desc, m.seq desc
        offset v_cap
      ) as o
    limit batch_size
  );
  v_deleted := tool_recall._delete_unlocked(v_ids);
  if v_deleted > 0 then
    perform tool_recall._count('tool_results_cap_deletes_total', '', v_deleted);
  end if;
  if cardinality(v_ids) = 0 then
    delete from tool_recall._over_cap;
    -- Unless it was changed meanwhile.
    update tool_recall._retention_state as t set cap_bound = v_cap
    where not exists (
      select from tool_recall.settings as s where s.conversation_cap <> v_cap
    );
  end if;
  return v_deleted;
end
$$;
comment on function tool_recall._purge_over_cap_batch(integer) is
  'Deletes up to batch_size rows of conversations that hold more than a lowered '
  'settings.conversation_cap; none when all are within it';

-- In plpgsql, since creating it in SQL would lock the table.
create or replace function tool_recall._note_purge(deleted bigint) returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  update tool_recall._retention_state
  set last_purge_at = clock_timestamp(), last_purge_deleted = deleted;
end
$$;
comment on function tool_recall._note_purge(bigint) is
  'Keeps when the last purge finished a batch, and how many rows it had deleted by then';
