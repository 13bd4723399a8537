create or replace function tool_recall._is_failure(value jsonb) returns boolean
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  v_error jsonb := coalesce(
    value -> 'error', value -> 'Error', value -> 'fault', value -> 'exception');
begin
  if value ?| array['isError', 'is_error']
    and (value @> '{"isError": true}' or value @> '{"is_error": true}') then
    return true;
  end if;
  if jsonb_typeof(v_error) in ('string', 'object', 'array', 'boolean') then
    return v_error not in ('""', '{}', '[]', 'false');
  end if;
  if value ?| array['success', 'ok', 'succeeded'] and (
    value @> '{"success": false}' or value @> '{"ok": false}' or value @> '{"succeeded": false}')
  then
    return true;
  end if;
  if lower(value ->> 'status' collate "C") in ('error', 'failed', 'failure', 'fail')
    and (value ?| array['message', 'content', 'detail', 'reason', 'errors']) then
    return true;
  end if;
  if value ->> 'type' in ('error', 'web_search_tool_result_error', 'web_fetch_tool_error')
    or value ?| array['error_code', 'errorCode', 'errorMessage', 'error_message', '__type']
    and not coalesce(value @> '{"error_code": 0}' or value @> '{"errorCode": 0}', false)
    and (value ?| array['message', 'errorMessage', 'error_message', 'Message', 'error_code']) then
    return coalesce(value ->> 'error_code', value ->> 'errorCode', value ->> 'errorMessage',
      value ->> 'error_message', value ->> '__type', value ->> 'error', '') <> '';
  end if;
  if coalesce(value ->> 'stderr', '') <> '' and coalesce(
    value -> 'return_code', value -> 'returncode', value -> 'exit_code', value -> 'exitCode', '0')
    <> '0' then
    return true;
  end if;
  -- What a web service says of a request that it refused field by field.
  if jsonb_typeof(value #> '{detail,0}') = 'object'
    and value #> '{detail,0}' ?& array['loc', 'msg'] then
    return true;
  end if;
  -- GraphQL, JSON:API and their like: errors, and nothing else but what goes with them.
  if jsonb_typeof(value -> 'errors') in ('array', 'object')
    and value -> 'errors' not in ('[]', '{}') then
    return not exists (
      select from jsonb_each(value) as e
      where e.key not in (
        'errors', 'message', 'status', 'code', 'title', 'type', 'extensions', 'meta', 'jsonapi',
        'links', 'detail', 'statusCode', 'traceId', 'request_id', 'instance'
      ) and e.value <> 'null'
    );
  end if;
  -- A problem by RFC 9457, or a web service's {statusCode, message}.
  return coalesce(
    tool_recall._whole_number(coalesce(value -> 'status', value -> 'statusCode', value -> 'code'))
    between 400 and 599
    and value ?| array['message', 'title', 'detail'], false);
end
$$;
comment on function tool_recall._is_failure(jsonb) is
  'Whether an object says of itself that the call failed, in the shapes that providers use';

create or replace function tool_recall._tells_of_failure(value jsonb) returns boolean
language sql immutable parallel safe
return value ?| array[
  'isError', 'is_error', 'error', 'Error', 'fault', 'exception', 'success', 'ok', 'succeeded',
  'status', 'type', 'error_code', 'errorCode', 'errorMessage', 'error_message', '__type', 'stderr',
  'errors', 'statusCode', 'code', 'detail'
];
comment on function tool_recall._tells_of_failure(jsonb) is
  'Whether _is_failure may find something in an object: a cheap look first';

create or replace function tool_recall._error_text(value jsonb) returns text
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  v_value jsonb := value;
  v_next jsonb;
  v_text text;
begin
  for i in 1..8 loop
    case jsonb_typeof(v_value)
      when 'string' then
        v_text := btrim(v_value #>> '{}', E' \t\r\n');
        v_next := case
          when v_text like '{%' or v_text like '[%' then tool_recall._json_in_text(v_text) end;
        if v_next is null then
          -- Python's traceback tells last what happened.
          return case
            when v_text like 'Traceback (most recent call last)%'
              then regexp_replace(v_text, E'^.*\n' collate "C", '')
            else v_text
          end;
        end if;
      when 'array' then
        v_next := v_value -> 0;
      when 'object' then
        v_next := coalesce(
          (
            select v_value -> k.key
            from unnest(array[
              'error', 'Error', 'fault', 'exception', 'message', 'Message', 'errorMessage',
              'error_message', 'error_description', 'detail', 'errors', 'faultstring', 'reason',
              'title', 'msg', 'description', 'text', 'content', 'output', 'result', 'stderr',
              'error_code', 'errorCode', 'code', 'type', '__type'
            ]) with ordinality as k (key, place)
            where v_value -> k.key not in ('null', 'true', 'false', '""', '{}', '[]')
            order by k.place
            limit 1
          ),
          (
            -- Messages by field.
            select e.value from jsonb_each(v_value) as e
            where jsonb_typeof(e.value) in ('string', 'array') and e.value not in ('""', '[]')
            limit 1
          ));
      when 'number' then
        return v_value #>> '{}';
      else
        return null;
    end case;
    exit when v_next is null;
    v_value := v_next;
  end loop;
  return null;
end
$$;
comment on function tool_recall._error_text(jsonb) is
  'What a failed call says of itself, in the shapes that providers use; null where it says nothing';

create or replace function tool_recall._error_summary(value jsonb, quote_free_text boolean)
returns text
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  v_text text := tool_recall._error_text(value);
begin
  if coalesce(v_text, '') = '' then
    return 'error';
  end if;
  return 'error ' || case
    when quote_free_text then tool_recall._quote_masked(v_text, 100)
    else '"' || chr(8230) || '"'
  end;
end
$$;
comment on function tool_recall._error_summary(jsonb, boolean) is
  'A failed call in a line: error, and in quotes what it says of itself';
