create or replace function tool_recall.recall_tool_results(
  conversation_id tool_recall.message_tool_results.conversation_id%type,
  user_id tool_recall.message_tool_results.user_id%type,
  tool_name text default null,
  since_days integer default null,
  max_results integer default 5,
  before uuid default null
) returns setof tool_recall.tool_result
language plpgsql stable
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
as $$
#variable_conflict use_column
declare
  v_since timestamptz;
  v_before_at timestamptz := timestamptz 'infinity';
  v_before_seq bigint := 0;
begin
  if recall_tool_results.max_results < 0 or recall_tool_results.since_days < 0 then
    raise exception using errcode = '22023',
      message = 'max_results and since_days must not be negative';
  end if;
  -- What is past retention stays so, whatever the caller asks for.
  select statement_timestamp()
    - least(s.retention_days, recall_tool_results.since_days) * interval '24 hours'
  into v_since
  from tool_recall.settings as s
  where s.only_row;
  if recall_tool_results.before is not null then
    select m.created_at, m.seq into v_before_at, v_before_seq
    from tool_recall.message_tool_results as m
    where m.id = recall_tool_results.before
      and m.conversation_id = recall_tool_results.conversation_id
      and m.user_id = recall_tool_results.user_id;
    if not found then
      return;
    end if;
  end if;
  return query
  select
    m.id, m.created_at, m.message_id, m.tool_use_id, m.tool_name::text,
    m.tool_input, m.tool_output, m.is_error, m.repairs
  from tool_recall.message_tool_results as m
  where m.conversation_id = recall_tool_results.conversation_id
    and m.user_id = recall_tool_results.user_id
    and m.created_at >= v_since
    and (m.created_at, m.seq) < (v_before_at, v_before_seq)
    and (recall_tool_results.tool_name is null or m.tool_name = recall_tool_results.tool_name)
  order by m.created_at desc, m.seq desc
  limit recall_tool_results.max_results;
end
$$;
comment on function tool_recall.recall_tool_results is
  'Stored results of this conversation and user, whole, newest first, errors included, none past '
  'retention; of one tool, of the last since_days days (of 24 hours), at most max_results (null: '
  'all). before: the id of a row, for the page of those older than it; none if that row is gone';

create or replace function tool_recall.recall_tool_result(
  id uuid, user_id tool_recall.message_tool_results.user_id%type
) returns setof tool_recall.tool_result
language plpgsql stable
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
as $$
#variable_conflict use_column
begin
  return query
  select
    m.id, m.created_at, m.message_id, m.tool_use_id, m.tool_name::text,
    m.tool_input, m.tool_output, m.is_error, m.repairs
  from tool_recall.message_tool_results as m
    join tool_recall.settings as s on s.only_row
  where m.id = recall_tool_result.id and m.user_id = recall_tool_result.user_id
    and m.created_at >= statement_timestamp() - s.retention_days * interval '24 hours';
end
$$;
comment on function tool_recall.recall_tool_result is
  'One stored result of this user by its id, or none: another user''s, one past retention, one '
  'forgotten';
