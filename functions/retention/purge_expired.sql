-- A procedure that commits can have no set clause: it pins search_path itself, again after each commit.
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
    v_batch := case v_phase
      when 'expired' then tool_recall._purge_expired_batch(batch_size)
      else tool_recall._purge_over_cap_batch(batch_size)
    end;
    deleted := deleted + v_batch;
    if v_batch < batch_size then
      if v_phase = 'expired' then
        v_phase := 'over cap';
      else
        v_phase := 'done';
      end if;
    end if;
    update tool_recall._retention_state
    set last_purge_at = clock_timestamp(), last_purge_deleted = purge_expired.deleted;
    commit;
    perform pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
    exit when v_phase = 'done' or clock_timestamp() >= v_started + max_seconds * interval '1 second';
  end loop;
end
$$;
comment on procedure tool_recall.purge_expired(integer, integer, bigint) is
  'Deletes rows past settings.retention_days, then rows over a lowered settings.conversation_cap, at most '
  'batch_size a transaction, until none is left or max_seconds have passed; at least one batch. '
  'deleted: how many. Call it alone, outside a transaction; two at once do not collide';

create or replace function tool_recall._purge_expired_batch(batch_size integer) returns bigint
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
    where m.created_at < clock_timestamp() - (
      select s.retention_days * interval '24 hours' from tool_recall.settings as s where s.only_row
    )
    order by m.created_at
    limit batch_size
    for update skip locked
  ));
  get diagnostics v_deleted = row_count;
  return v_deleted;
end
$$;
comment on function tool_recall._purge_expired_batch(integer) is
  'Deletes up to batch_size of the oldest rows past retention; rows that another purge has are skipped';

create or replace function tool_recall._purge_over_cap_batch(batch_size integer) returns bigint
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  v_cap integer;
  v_deleted bigint;
begin
  select s.conversation_cap into v_cap from tool_recall.settings as s where s.only_row;
  -- The whole table is read only where the cap was lowered since it was last swept.
  if not exists (select from tool_recall._retention_state as t where t.cap_bound > v_cap) then
    return 0;
  end if;
  delete from tool_recall.message_tool_results as d
  where d.id = any (array(
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
  ));
  get diagnostics v_deleted = row_count;
  if v_deleted < batch_size then
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
  'Deletes up to batch_size rows of conversations that hold more than a lowered settings.conversation_cap';
