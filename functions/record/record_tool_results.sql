create or replace function tool_recall.record_tool_results(
  conversation_id tool_recall.message_tool_results.conversation_id%type,
  user_id tool_recall.message_tool_results.user_id%type,
  message_id tool_recall.message_tool_results.message_id%type,
  results jsonb
) returns setof uuid
language plpgsql
set search_path = pg_catalog, pg_temp
set timezone = 'UTC'
as $$
declare
  v_unknown text;
  v_created_at timestamptz;
  r record;
begin
  if results is null or jsonb_typeof(results) <> 'array' then
    raise exception using errcode = 'TR002', message = 'results must be a JSON array of objects';
  end if;
  for r in
    select e.value, e.place - 1 as place
    from jsonb_array_elements(results) with ordinality as e (value, place)
    order by e.place
  loop
    if jsonb_typeof(r.value) <> 'object' then
      raise exception using errcode = 'TR002',
        message = format('results[%s] is no object', r.place);
    end if;
    select k.key into v_unknown
    from jsonb_object_keys(r.value) as k (key)
    where k.key not in (
      'tool_name', 'tool_input', 'tool_output', 'tool_use_id', 'is_error', 'created_at', 'repairs')
    limit 1;
    if v_unknown is not null then
      raise exception using errcode = 'TR002',
        message = format('results[%s] has an unknown key %s',
          r.place, to_jsonb(left(v_unknown, 64))),
        hint = 'The keys are tool_name, tool_input, tool_output, tool_use_id, is_error, '
          'created_at, repairs.';
    end if;
    if jsonb_typeof(r.value -> 'tool_name') is distinct from 'string' then
      raise exception using errcode = 'TR002',
        message = format('results[%s].tool_name is no text', r.place);
    end if;
    if jsonb_typeof(r.value -> 'is_error') not in ('boolean', 'null') then
      raise exception using errcode = 'TR002',
        message = format('results[%s].is_error is no boolean', r.place);
    end if;
    v_created_at := null;
    if r.value ->> 'created_at' is not null then
      if tool_recall._iso_day(r.value ->> 'created_at') is null then
        raise exception using errcode = 'TR002',
          message = format('results[%s].created_at is no ISO 8601 timestamp: %s', r.place,
            left(r.value ->> 'created_at', 64)),
          hint = 'Without an offset it is taken as UTC.';
      end if;
      v_created_at := (r.value ->> 'created_at')::timestamptz;
    end if;
    return next tool_recall.record_tool_result(
      conversation_id, user_id, message_id,
      r.value ->> 'tool_name', r.value -> 'tool_input', r.value -> 'tool_output',
      r.value ->> 'tool_use_id', (r.value ->> 'is_error')::boolean, v_created_at,
      r.value -> 'repairs');
  end loop;
end
$$;
comment on function tool_recall.record_tool_results is
  'Stores an array of objects keyed by record_tool_result''s argument names, all or nothing, and '
  'returns their ids in order, null for each that a capture rule does not store. TR001 and TR002 '
  'as there; TR002 also for a key that is no such name';
