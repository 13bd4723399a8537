-- What a chat turn waits for: one index scan over finished lines; nothing is rendered here.
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
set jit = off
as $$
#variable_conflict use_column
declare
  v_max_rows integer;
  v_margin numeric;
  v_room numeric;
  v_since timestamptz;
  v_call text;
  v_calls text[] := '{}';
  r record;
begin
  select s.max_rows, s.token_margin, s.token_budget - s.token_margin * tool_recall._block_copy_tokens(),
    _recall_rows.as_of - s.retention_days * interval '24 hours'
  into v_max_rows, v_margin, v_room, v_since
  from tool_recall.settings as s
  where s.only_row;

  for r in
    select m.id, m.recall_line, m.recall_tokens, m.tool_name
    from tool_recall.message_tool_results as m
    where m.conversation_id = _recall_rows.conversation_id and m.user_id = _recall_rows.user_id
      and m.created_at >= v_since and not m.is_error and m.recall_line <> ''
    order by m.created_at desc, m.seq desc
  loop
    -- The day as the line shows it, and the tool; inputs are compared only where these are equal.
    v_call := left(r.recall_line, 13) || r.tool_name;
    continue when v_call = any (v_calls) and tool_recall._is_repeated(r.id, ids);
    v_room := v_room - v_margin * r.recall_tokens;
    exit when v_room < 0;
    v_calls := v_calls || v_call;
    ids := ids || r.id;
    lines := concat(lines, r.recall_line, E'\n');
    exit when cardinality(ids) = v_max_rows;
  end loop;
end
$$;
comment on function tool_recall._recall_rows is
  'The lines of the block as of a time, each with its line break, and their rows, newest first; null '
  'where there are none. For tests and explanation the time is an argument; recall_block passes the '
  'statement''s start';

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

create or replace function tool_recall._recall_block(
  conversation_id tool_recall.message_tool_results.conversation_id%type,
  user_id tool_recall.message_tool_results.user_id%type,
  as_of timestamptz
) returns text
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_lines text;
begin
  select r.lines into v_lines from tool_recall._recall_rows(conversation_id, user_id, as_of) as r;
  return coalesce(
    tool_recall._block_header() || E'\n' || v_lines || E'\n' || tool_recall._block_instruction(), '');
end
$$;
comment on function tool_recall._recall_block is 'The block as of a time';

create or replace function tool_recall.recall_block(
  conversation_id tool_recall.message_tool_results.conversation_id%type,
  user_id tool_recall.message_tool_results.user_id%type
) returns text
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return tool_recall._recall_block(conversation_id, user_id, statement_timestamp());
end
$$;
comment on function tool_recall.recall_block is
  'The "Previously fetched" block for the system prompt: the newest results of this conversation and this '
  'user, dated, at most settings.max_rows lines and settings.token_budget tokens; '''' when there is none. '
  'Writes nothing';
