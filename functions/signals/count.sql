-- Counting must not make one writer wait for another, let alone deadlock: a backend updates its own
-- row, and where that is locked (by a prepared transaction, a purge, another backend of the same
-- slot) it adds a further one. Above READ COMMITTED, where a row that a purge has folded meanwhile
-- would fail the recording, it always adds one.
create or replace function tool_recall._count(name text, label text, amount bigint) returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
as $$
#variable_conflict use_column
declare
  v_slot smallint := pg_backend_pid() & 63;
begin
  if current_setting('transaction_isolation') in ('read committed', 'read uncommitted') then
    update tool_recall._counters as c
    set value = c.value + _count.amount, part = (c.value + _count.amount) / 128
    where c.ctid = (
      select k.ctid
      from tool_recall._counters as k
      where k.name = _count.name and k.label = _count.label and k.slot = v_slot
      order by k.part desc
      limit 1
      for update skip locked
    );
    if found then
      return;
    end if;
  end if;
  insert into tool_recall._counters (name, label, slot, part, value)
  values (_count.name, _count.label, v_slot, _count.amount / 128, _count.amount);
end
$$;
comment on function tool_recall._count(text, text, bigint) is
  'Adds to a counter; never waits for another transaction';

create or replace function tool_recall._count_tool(name text, tool_name text, amount bigint)
returns void
language plpgsql
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
as $$
#variable_conflict use_column
declare
  v_label text := _count_tool.tool_name;
begin
  if not exists (
    select from tool_recall._metric_tools as t where t.tool_name = _count_tool.tool_name
  ) then
    -- By as many more as there are writers that see a new tool first at the same time.
    if (select count(distinct t.tool_name) from tool_recall._metric_tools as t) < 200 then
      insert into tool_recall._metric_tools (tool_name) values (_count_tool.tool_name);
    else
      v_label := '';
    end if;
  end if;
  perform tool_recall._count(_count_tool.name, v_label, _count_tool.amount);
end
$$;
comment on function tool_recall._count_tool(text, text, bigint) is
  'Adds to a tool''s counter; to that of all others ('''') where 200 tools have one already';

create or replace function tool_recall._repair_kinds(repairs jsonb) returns setof text
language sql immutable parallel safe
begin atomic
  -- A client may write any kind.
  -- noqa: disable=RF01
  select distinct case
    when o.key in (
      'nul', 'surrogate', 'non_finite', 'bytes', 'set', 'key', 'cycle', 'depth', 'big_number',
      'future', 'id_reused', 'truncated', 'redacted', 'not_stored'
    ) then o.key else ''
  end
  from jsonb_object_keys(_repair_kinds.repairs) as o (key);
end;
comment on function tool_recall._repair_kinds(jsonb) is
  'The kinds of a row''s repairs, each once; '''' for those that are none of ours';

create or replace function tool_recall._fold_counters() returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  -- Moved in one statement: whoever sums them up sees each count once.
  with folded as (
    delete from tool_recall._counters as c
    where c.ctid = any (array(
      select k.ctid from tool_recall._counters as k for update skip locked
    ))
    returning c.name, c.label, c.value
  )
  insert into tool_recall._counters (name, label, slot, part, value)
  select f.name, f.label, -1, 0, sum(f.value)
  from folded as f
  group by f.name, f.label;
end
$$;
comment on function tool_recall._fold_counters() is
  'Makes one row of each counter''s rows, but for those that a transaction holds';
