-- What a chat turn waits for: one index scan over finished lines; nothing is rendered here.

create or replace function tool_recall._is_repeated(id uuid, newer uuid[]) returns boolean
language plpgsql stable
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
as $$
#variable_conflict use_column
begin
  return exists (
    select
    from tool_recall.message_tool_results as m
      join tool_recall.message_tool_results as n on n.id = any (_is_repeated.newer)
    where m.id = _is_repeated.id and m.tool_name = n.tool_name and m.tool_input = n.tool_input
      and left(m.recall_line, 13) = left(n.recall_line, 13)
  );
end
$$;
comment on function tool_recall._is_repeated(uuid, uuid[]) is
  'Whether one of the newer rows has the same day, tool and arguments, these compared whole';

create or replace function tool_recall._recall_rows(
  conversation_id tool_recall.message_tool_results.conversation_id%type,
  user_id tool_recall.message_tool_results.user_id%type,
  as_of timestamptz,
  out lines text,
  out ids uuid[]
)
language plpgsql stable
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
as $$
#variable_conflict use_column
declare
  v_max_rows integer;
  v_room integer;
  v_since timestamptz;
  v_call text;
  v_calls text[] := array[]::text[];
  v_cut boolean := false;
  r record;
begin
  select s.max_rows, floor(s.token_budget / s.token_margin) - tool_recall._block_copy_tokens(),
    _recall_rows.as_of - s.retention_days * interval '24 hours'
  into v_max_rows, v_room, v_since
  from tool_recall.settings as s
  where s.only_row;

  for r in
    select m.id, m.recall_line, m.recall_tokens
    from tool_recall.message_tool_results as m
    where m.conversation_id = _recall_rows.conversation_id and m.user_id = _recall_rows.user_id
      and m.created_at >= v_since and not m.is_error and m.recall_line <> ''
    order by m.created_at desc, m.seq desc
  loop
    -- Inputs are compared only where the lines leave it open whether a call is repeated: its
    -- arguments are shown alike, or an ellipsis stands for some, in this line or in a newer one.
    v_call := split_part(r.recall_line, '): ', 1);
    v_cut := v_cut or strpos(v_call, chr(8230)) > 0;
    continue when (v_cut or v_call = any (v_calls)) and tool_recall._is_repeated(r.id, ids);
    v_room := v_room - r.recall_tokens;
    exit when v_room < 0;
    v_calls := v_calls || v_call;
    ids := ids || r.id;
    lines := concat_ws(chr(10), lines, r.recall_line);
    exit when cardinality(ids) = v_max_rows;
  end loop;
end
$$;
comment on function tool_recall._recall_rows is
  'The lines of the block as of a time and their rows, newest first; null where there are none';

create or replace function tool_recall._recall_block(
  conversation_id tool_recall.message_tool_results.conversation_id%type,
  user_id tool_recall.message_tool_results.user_id%type,
  as_of timestamptz
) returns text
language plpgsql stable
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
as $$
#variable_conflict use_column
declare
  v_max_rows integer;
  v_room integer;
  v_days integer;
  v_lines text;
  v_tokens integer;
  v_repeated boolean;
begin
  select
    s.max_rows, floor(s.token_budget / s.token_margin) - tool_recall._block_copy_tokens(),
    s.retention_days
  into v_max_rows, v_room, v_days
  from tool_recall.settings as s
  where s.only_row;
  -- Mostly the newest rows are the block: all are different calls, and all fit.
  select
    -- Ordered here too: from version 16 on, PostgreSQL sorts the rows for count(distinct ...).
    string_agg(m.recall_line, chr(10) order by m.created_at desc, m.seq desc),
    sum(m.recall_tokens),
    count(*) <> count(distinct split_part(m.recall_line, '): ', 1) collate "C")
  into v_lines, v_tokens, v_repeated
  from (
    select n.recall_line, n.recall_tokens, n.created_at, n.seq
    from tool_recall.message_tool_results as n
    where n.conversation_id = _recall_block.conversation_id and n.user_id = _recall_block.user_id
      and n.created_at >= _recall_block.as_of - v_days * interval '24 hours'
      and not n.is_error and n.recall_line <> ''
    order by n.created_at desc, n.seq desc
    limit v_max_rows
  ) as m;
  if v_lines is null then
    return '';
  end if;
  if v_tokens > v_room or v_repeated or strpos(v_lines, chr(8230)) > 0 then
    -- To be looked at row by row.
    select r.lines into v_lines
    from tool_recall._recall_rows(
      _recall_block.conversation_id, _recall_block.user_id, _recall_block.as_of) as r;
  end if;
  return coalesce(tool_recall._block_header() || chr(10) || v_lines || repeat(chr(10), 2)
    || tool_recall._block_instruction(), '');
end
$$;
comment on function tool_recall._recall_block is
  'The block as of a time; recall_block passes the statement''s start';

create or replace function tool_recall.recall_block(
  conversation_id tool_recall.message_tool_results.conversation_id%type,
  user_id tool_recall.message_tool_results.user_id%type
) returns text
language sql stable
return tool_recall._recall_block(conversation_id, user_id, statement_timestamp());
comment on function tool_recall.recall_block is
  'The "Previously fetched" block for the system prompt: the newest results of this conversation '
  'and this user, dated, at most settings.max_rows lines and settings.token_budget tokens; '''' '
  'when there is none. Writes nothing';
