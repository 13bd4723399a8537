create or replace function tool_recall.recall_lines(
  conversation_id tool_recall.message_tool_results.conversation_id%type,
  user_id tool_recall.message_tool_results.user_id%type
) returns table (
  id uuid, created_at timestamptz, tool_name text, recall_line text, recall_tokens integer
)
language plpgsql stable
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
as $$
#variable_conflict use_column
begin
  return query
  select m.id, m.created_at, m.tool_name::text, m.recall_line, m.recall_tokens
  from tool_recall._recall_rows(
    recall_lines.conversation_id, recall_lines.user_id, statement_timestamp()) as b
    cross join lateral unnest(b.ids) with ordinality as i (id, place)
    join tool_recall.message_tool_results as m on m.id = i.id
  order by i.place;
end
$$;
comment on function tool_recall.recall_lines is
  'The rows of the block, newest first. recall_tokens is the line''s count before '
  'settings.token_margin';

create or replace function tool_recall._recall_candidates(
  conversation_id tool_recall.message_tool_results.conversation_id%type,
  user_id tool_recall.message_tool_results.user_id%type,
  as_of timestamptz
) returns table (
  id uuid, created_at timestamptz, tool_name text, recall_line text, recall_tokens integer,
  left_out text
)
language plpgsql stable
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
as $$
#variable_conflict use_column
begin
  return query
  with setting as (
    select s.max_rows, _recall_candidates.as_of - s.retention_days * interval '24 hours' as since
    from tool_recall.settings as s
    where s.only_row
  ),
  block as (
    select coalesce(b.ids, '{}') as ids
    from tool_recall._recall_rows(
      _recall_candidates.conversation_id, _recall_candidates.user_id, _recall_candidates.as_of) as b
  ),
  eligible as (
    select
      m.id, m.created_at, m.seq, m.tool_name::text as tool_name, m.recall_line, m.recall_tokens,
      case
        when m.created_at < t.since then 'expired'
        when m.is_error then 'error'
        when m.recall_line = '' then 'hidden'
      end as reason,
      row_number() over (
        partition by left(m.recall_line, 13), m.tool_name, m.tool_input,
          m.created_at < t.since or m.is_error or m.recall_line = ''
        order by m.created_at desc, m.seq desc
      ) > 1 as repeated
    from tool_recall.message_tool_results as m cross join setting as t
    where m.conversation_id = _recall_candidates.conversation_id
      and m.user_id = _recall_candidates.user_id
  )
  select
    e.id, e.created_at, e.tool_name, e.recall_line, e.recall_tokens,
    case
      when e.id = any (b.ids) then null
      when e.reason is not null then e.reason
      when e.repeated then 'repeated'
      when cardinality(b.ids) >= t.max_rows then 'max_rows'
      else 'token_budget'
    end
  from eligible as e cross join block as b cross join setting as t
  order by e.created_at desc, e.seq desc;
end
$$;
comment on function tool_recall._recall_candidates is
  'All rows that a block as of a time could have, newest first, and why each is left out: '
  'expired, error, hidden, repeated, max_rows, token_budget; null for the rows of the block. To '
  'explain, not for each turn';
