create or replace function tool_recall._fit(value jsonb, max_bytes integer) returns jsonb
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  v_text text := value::text;
begin
  if octet_length(v_text) <= max_bytes then
    return value;
  end if;
  -- The head's quotes and backslashes double when it becomes a JSON string; 256 bytes hold the
  -- rest.
  return jsonb_build_object(
    'truncated', true,
    'bytes', octet_length(v_text),
    'sha256', encode(sha256(convert_to(v_text, 'UTF8')), 'hex'),
    'head', tool_recall._left_bytes(v_text, (max_bytes - 256) / 2)
  );
end
$$;
comment on function tool_recall._fit(jsonb, integer) is
  'The value itself where its JSON text is at most max_bytes, else {truncated, bytes, sha256, '
  'head}';

create or replace function tool_recall._add_repair(
  repairs jsonb, kind text, amount integer default 1
) returns jsonb
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
begin
  return coalesce(repairs, '{}')
    || jsonb_build_object(kind, coalesce(tool_recall._number(repairs -> kind), 0) + amount);
end
$$;
comment on function tool_recall._add_repair(jsonb, text, integer) is
  'The repairs with so many more of a kind';
