create or replace function tool_recall._parse_json(value text) returns jsonb
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
begin
  return value::jsonb;
exception when others then
  return null;
end
$$;
comment on function tool_recall._parse_json(text) is
  'The text read as JSON; null where jsonb cannot hold it';

create or replace function tool_recall._json_in_text(value text) returns jsonb
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  v_text text := btrim(value, E' \t\r\n' || chr(65279));
  v_json jsonb;
begin
  if v_text like '```%' then
    v_text := btrim(
      regexp_replace(v_text, E'^```[A-Za-z0-9]*|```$' collate "C", '', 'g'), E' \t\r\n');
  end if;
  if v_text ~ '^[[{"]' collate "C" then
    v_json := tool_recall._parse_json(v_text);
    if v_json is null and v_text ~ E'^[{].*[}]\r?\n[{]' collate "C" then
      -- A JSON object on each line.
      v_json := tool_recall._parse_json(
        '[' || regexp_replace(v_text, E'[\r\n]+' collate "C", ',', 'g') || ']');
    end if;
    return v_json;
  end if;
  if v_text in ('null', 'true', 'false')
    or v_text ~ '^-?(0|[1-9][0-9]{0,8})([.][0-9]{1,9})?$' collate "C" then
    return v_text::jsonb;
  end if;
  return null;
end
$$;
comment on function tool_recall._json_in_text(text) is
  'What a text holds as JSON, also between code fences or one object a line; null where it holds '
  'none. Long numbers stay text: they may be a telephone''s or a card''s';

create or replace function tool_recall._media_kind(block_type text) returns text
language sql immutable parallel safe
return case
  when block_type in ('image', 'image_url', 'input_image') then 'image'
  when block_type = 'document' then 'document'
  when block_type in ('audio', 'input_audio') then 'recording'
  when block_type = 'video' then 'video'
  when block_type in ('file', 'input_file', 'container_upload') then 'file'
  when block_type in ('resource', 'resource_link') then 'resource'
  when block_type = 'tool_reference' then 'tool'
end;
comment on function tool_recall._media_kind(text) is
  'What a content block other than text holds; null where the type is none that is known';

create or replace function tool_recall._unwrap_blocks(value jsonb) returns jsonb
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  v_texts text[];
  v_media text;
  v_known boolean;
begin
  if jsonb_array_length(value) = 1 and value #>> '{0,type}' in ('text', 'input_text', 'output_text')
  then
    -- Most results: one text.
    return jsonb_build_object('text', coalesce(value #>> '{0,text}', ''));
  end if;
  -- Content blocks, as Anthropic, OpenAI, MCP, Bedrock and Gemini have them: objects, each of a
  -- known type, or without a type and with nothing but a text.
  select
    bool_and(coalesce(
      e.value ->> 'type' in (
        'text', 'input_text', 'output_text', 'refusal', 'thinking', 'redacted_thinking', 'reasoning'
      )
      or tool_recall._media_kind(e.value ->> 'type') is not null
      or not e.value ? 'type' and e.value ? 'text' and e.value - 'text' = '{}', false)),
    array_agg(t.text order by e.place) filter (where t.text is not null)
  into v_known, v_texts
  from jsonb_array_elements(value) with ordinality as e (value, place)
    cross join lateral (
      select case
        when e.value ->> 'type' in ('thinking', 'redacted_thinking', 'reasoning') then null
        else coalesce(e.value ->> 'text', e.value #>> '{resource,text}', e.value ->> 'refusal')
      end as text
    ) as t;
  if v_known is not true then
    return null;
  end if;
  select string_agg(
    m.amount || ' ' || m.kind || case when m.amount = 1 then '' else 's' end, ', '
    order by m.first_place)
  into v_media
  from (
    select k.kind, count(*) as amount, min(k.place) as first_place
    from (
      select f.place, tool_recall._media_kind(f.value ->> 'type') as kind
      from jsonb_array_elements(value) with ordinality as f (value, place)
      where not f.value ? 'text' and f.value #>> '{resource,text}' is null
    ) as k
    where k.kind is not null
    group by k.kind
  ) as m;
  return jsonb_build_object('media', v_media, 'first', (
    select f.value
    from jsonb_array_elements(value) with ordinality as f (value, place)
    where tool_recall._media_kind(f.value ->> 'type') is not null
    order by f.place
    limit 1
  ), 'text', case
    -- Some servers send each row of a list in a block of its own.
    when cardinality(v_texts) > 1 and v_texts[1] ~ '^ *[{]' collate "C" then coalesce(
      tool_recall._parse_json('[' || array_to_string(v_texts, ',') || ']'),
      to_jsonb(array_to_string(v_texts, ' ')))
    else to_jsonb(array_to_string(v_texts, ' '))
  end);
end
$$;
comment on function tool_recall._unwrap_blocks(jsonb) is
  'Content blocks as {text, media, first}: their texts joined, how many of what else, and '
  'the first '
  'of these; null where the array holds anything but content blocks';

create or replace function tool_recall._is_call_message(value jsonb) returns boolean
language sql immutable parallel safe
return value ?| array['content', 'output', 'outputs', 'results', 'result', 'response'] and (
  value ?| array['tool_call_id', 'tool_use_id', 'toolUseId', 'call_id', 'artifact', 'part_kind']
  or value ->> 'type' in (
    'tool', 'tool_result', 'function_call_output', 'custom_tool_call_output', 'file_search_call',
    'code_interpreter_call', 'web_fetch_result', 'tool_message'
  )
  or value ->> 'type' like '%\_tool\_result'
  or value ->> 'role' in ('tool', 'function')
);
comment on function tool_recall._is_call_message(jsonb) is
  'Whether an object is a provider''s message around what a tool returned';

create or replace function tool_recall._may_wrap(value jsonb) returns boolean
language sql immutable parallel safe
return value ?| array[
  'structuredContent', 'stdout', 'lc', 'toolResult', 'functionResponse', 'edges', 'nodes',
  'content', 'data', 'response', 'result', 'output', 'outputs', 'results', 'body', '
  ''payload', 'items'
];
comment on function tool_recall._may_wrap(jsonb) is
  'Whether _wrapped may find something in an object: a cheap look first';

create or replace function tool_recall._wrapped(value jsonb) returns text[]
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  v_key text;
  v_part jsonb;
begin
  if jsonb_typeof(value -> 'structuredContent') = 'object' then
    return array['structuredContent'];
  end if;
  -- What a shell or an interpreter wrote.
  if value ? 'stdout' and coalesce(value ->> 'stdout', '') <> '' then
    return array['stdout'];
  end if;
  if value ?| array['lc', 'toolResult', 'functionResponse', 'tool_call_id', 'tool_use_id',
    'toolUseId', 'call_id', 'artifact', 'part_kind', 'role', 'type'] then
    case
      when value ? 'lc' and jsonb_typeof(value -> 'kwargs') = 'object' then
        return array['kwargs'];
      when jsonb_typeof(value -> 'toolResult') = 'object' then
        return array['toolResult'];
      when jsonb_typeof(value #> '{functionResponse,response}') = 'object' then
        return array['functionResponse', 'response'];
      when tool_recall._is_call_message(value) then
        select k.key into v_key
        from unnest(array['content', 'output', 'results', 'outputs', 'result', 'response'])
          with ordinality as k (key, place)
        where value ? k.key
        order by k.place
        limit 1;
        return array[v_key];
      else
        null;
    end case;
  end if;
  if value ?| array['edges', 'nodes'] and jsonb_typeof(coalesce(value -> 'edges', value -> 'nodes'))
    = 'array' then
    return array[case when value ? 'edges' then 'edges' else 'nodes' end];
  end if;
  foreach v_key in array array[
    'content', 'data', 'response', 'result', 'output', 'body', 'payload', 'items'
  ] loop
    continue when not value ? v_key;
    v_part := value -> v_key;
    case jsonb_typeof(v_part)
      when 'object' then
        if v_part <> '{}' or value - v_key = '{}' then
          return array[v_key];
        end if;
      when 'array' then
        if v_key <> 'content' or v_part = '[]'
          or value ?| array['totalElements', 'total_elements']
          or tool_recall._unwrap_blocks(v_part) is not null then
          return array[v_key];
        end if;
      when 'string' then
        -- A text is the whole result only where nothing else is there that could be.
        if value - v_key - array['status', 'message', 'success', 'ok', 'statusCode', 'headers',
            'id', 'meta', '_meta', 'isError'] = '{}'
          or v_part #>> '{}' ~ '^\s*[[{]' collate "C" then
          return array[v_key];
        end if;
      else
        null;
    end case;
  end loop;
  return null;
end
$$;
comment on function tool_recall._wrapped(jsonb) is
  'The path within an object to what it wraps: a provider''s message, a connection of GraphQL, or '
  'data, result, response and their like; null where it wraps nothing';

create or replace function tool_recall._nested_key(value jsonb) returns text
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
begin
  -- Only where nothing else is said at this level: no list, and no figure.
  if jsonb_path_exists(value, 'strict $.* ? (@.type() == "array")')
    or tool_recall._has_figure(value) then
    return null;
  end if;
  return (
    select e.key
    from jsonb_each(value) as e
    where jsonb_typeof(e.value) = 'object'
      and e.key not in (
        'meta', 'paging', 'pagination', 'pageInfo', 'page_info', 'links', '_links', '_meta',
        'headers', '_shards', 'metadata'
      )
      and (
        jsonb_path_exists(e.value, 'strict $.* ? (@.type() == "array")')
        or _nested_key.value - e.key
          - array['status', 'success', 'ok', 'message', 'meta', 'object'] = '{}'
      )
    order by (
      select max(tool_recall._array_length(l.value))
      from jsonb_each(case when jsonb_typeof(e.value) = 'object' then e.value end) as l
    ) desc nulls last
    limit 1
  );
end
$$;
comment on function tool_recall._nested_key(jsonb) is
  'Of an object that says nothing itself the field whose object says something: the longest list, '
  'or the only one; null where there is none';
