create or replace function tool_recall.record_tool_result(
  conversation_id tool_recall.message_tool_results.conversation_id%type,
  user_id tool_recall.message_tool_results.user_id%type,
  message_id tool_recall.message_tool_results.message_id%type,
  tool_name text,
  tool_input jsonb,
  tool_output jsonb,
  tool_use_id text default null,
  is_error boolean default false,
  created_at timestamptz default null,
  repairs jsonb default null
) returns uuid
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_id uuid;
  v_input jsonb := coalesce(record_tool_result.tool_input, '{}');
  v_output jsonb := coalesce(record_tool_result.tool_output, 'null');
  v_tool_use_id text := nullif(record_tool_result.tool_use_id, '');
  v_is_error boolean := coalesce(record_tool_result.is_error, false);
  v_repairs jsonb := nullif(nullif(record_tool_result.repairs, 'null'), '{}');
  v_same boolean;
  r record;
  c record;
begin
  if length(record_tool_result.tool_name) > 128 or record_tool_result.tool_name is null then
    raise exception using errcode = 'TR002',
      message = coalesce(format('tool_name is longer than 128 characters: %s...',
        left(record_tool_result.tool_name, 40)), 'tool_name is null');
  end if;
  if jsonb_typeof(v_repairs) <> 'object' then
    raise exception using errcode = 'TR002',
      message = 'repairs must be a JSON object of kinds and counts';
  end if;
  if record_tool_result.message_id is null then
    raise exception using errcode = 'TR001', message = 'message_id is null';
  end if;
  if row_security_active('tool_recall.message_tool_results'::regclass) then
    perform tool_recall._check_setting_user(record_tool_result.user_id);
  end if;
  for v_attempt in 1..3 loop
    insert into tool_recall.message_tool_results (
      conversation_id, user_id, message_id, tool_name, tool_input, tool_output,
      tool_use_id, is_error, created_at, repairs
    ) values (
      record_tool_result.conversation_id, record_tool_result.user_id, record_tool_result.message_id,
      record_tool_result.tool_name, v_input, v_output,
      v_tool_use_id, v_is_error,
      coalesce(record_tool_result.created_at, clock_timestamp()), v_repairs
    )
    on conflict on constraint message_tool_results_tool_use_key do nothing
    returning id into v_id;
    if v_id is not null then
      return v_id;
    end if;
    -- A statement of its own, so that it sees the row that won the race.
    select s.max_output_bytes, k.store, k.searches into r
    from tool_recall.settings as s
      left join tool_recall.capture_rules as k on k.tool_name = record_tool_result.tool_name
    where s.only_row;
    if r.store = 'none' then
      return null;
    elsif r.store is not null then
      -- What is stored is compared with what would be.
      select * into c from tool_recall._captured(r.searches, v_input, v_output);
      if r.store = 'line' then
        c.tool_output := tool_recall._not_stored();
      end if;
    else
      select v_input as tool_input, v_output as tool_output into c;
    end if;
    select
      m.id,
      m.tool_name = record_tool_result.tool_name and m.is_error = v_is_error
        and m.tool_input = tool_recall._fit(c.tool_input, r.max_output_bytes)
        and m.tool_output = tool_recall._fit(c.tool_output, r.max_output_bytes)
    into v_id, v_same
    from tool_recall.message_tool_results as m
    where m.message_id = record_tool_result.message_id and m.tool_use_id = v_tool_use_id;
    if v_same then
      return v_id;
    elsif v_id is not null then
      v_tool_use_id := null;
      v_repairs := tool_recall._add_repair(v_repairs, 'id_reused');
    end if;
    -- Neither stored nor found: the other row was trimmed meanwhile, or is one that we may not see
    -- (its conversation was another user's then). The last attempt goes without the id, which
    -- cannot conflict.
    if v_attempt = 2 and v_tool_use_id is not null then
      v_tool_use_id := null;
      v_repairs := tool_recall._add_repair(v_repairs, 'id_reused');
    end if;
  end loop;
  raise exception using errcode = '40001', message = 'the result could not be stored: try again';
end
$$;
comment on function tool_recall.record_tool_result is
  'Stores one tool result as a snapshot and returns its id. Again with the same tool_use_id, '
  'message and content: the first row''s id, and nothing is stored; the same id with other '
  'content is stored without the id (repair id_reused). created_at defaults to the present; '
  'tool_output null is JSON null. Null, and nothing stored, for a tool whose capture rule says '
  'none. Call it last in a transaction: the cap''s lock on the '
  'conversation is held to commit. TR001: user, conversation and message do not belong together, '
  'or row '
  'security is on and the setting tool_recall.user_id is not this user. '
  'TR002: blank or over-long tool_name, created_at infinite or over five minutes ahead';
