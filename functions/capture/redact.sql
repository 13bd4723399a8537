-- The bits that hold at a value itself, once those of steps that need not descend are followed.
create or replace function tool_recall._reach(
  state bigint, deep bigint, single bigint, is_array boolean
) returns bigint
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  v_state bigint := state;
  v_more bigint;
begin
  loop
    v_more := v_state | ((v_state & (case when is_array then deep else deep | single end)) << 1);
    exit when v_more = v_state;
    v_state := v_more;
  end loop;
  return v_state;
end
$$;
comment on function tool_recall._reach(bigint, bigint, bigint, boolean) is
  'A search''s state at a value, with the steps that match the value itself taken';

-- A search that erase_matching makes replaces one value only, its "wanted"; its "pattern" finds
-- that
-- value in a text, however it is escaped there.
create or replace function tool_recall._may_hold(value text, search jsonb) returns boolean
language sql immutable parallel safe
return coalesce(value ~* (search ->> 'pattern') collate "C", true);
comment on function tool_recall._may_hold(text, jsonb) is
  'Whether a text in which paths find nothing may hold what is sought; true for a rule, which '
  'replaces whatever its paths find';

-- Raises where it cannot be sure, never returns what it should have replaced: see _captured.
create or replace function tool_recall._redact(
  value jsonb, state bigint, search jsonb, level integer, in_text boolean
) returns tool_recall._redaction
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  v_type text := jsonb_typeof(value);
  v_deep bigint := (search -> 'deep')::bigint;
  v_single bigint := (search -> 'single')::bigint;
  v_end bigint := (search -> 'end')::bigint;
  v_keys jsonb := search -> 'keys';
  v_state bigint := tool_recall._reach(state, v_deep, v_single, v_type = 'array');
  -- What may be taken to every part of the value; leaf: whether that ends at a plain one.
  v_any bigint := v_state & v_deep;
  v_leaf boolean;
  v_result tool_recall._redaction := row(value, 0);
begin
  if v_state & v_end <> 0 and (
    not search ? 'wanted'
    or (v_type not in ('object', 'array') and value #>> '{}' = search ->> 'wanted')
  ) then
    return row(jsonb '"[redacted]"', 1);
  elsif v_type = 'string' then
    return case
      when in_text then tool_recall._redact_text(value, v_state, search, level) else v_result
    end;
  elsif v_type not in ('object', 'array') or (v_state = 0 and not in_text) then
    return v_result;
  elsif level >= 64 then
    -- Too deep to be searched.
    return case
      when tool_recall._may_hold(value::text, search)
        then row(jsonb '"[redacted]"', 1)::tool_recall._redaction
      else v_result
    end;
  elsif v_type = 'object' then
    v_any := v_any | ((v_state & (search -> 'member')::bigint) << 1);
    v_leaf := tool_recall._reach(v_any, v_deep, v_single, false) & v_end <> 0;
    select jsonb_object_agg(p.key, coalesce((p.part).redacted, p.value)), sum((p.part).hits)
    into v_result.redacted, v_result.hits
    from (
      select
        m.key, m.value,
        case
          when v_leaf or v_keys ? m.key or case jsonb_typeof(m.value)
            when 'object' then v_any <> 0 or in_text
            when 'array' then v_any <> 0 or in_text
            when 'string' then in_text
          end then tool_recall._redact(
            m.value, v_any | ((v_state & coalesce((v_keys -> m.key)::bigint, 0)) << 1),
            search, level + 1, in_text)
        end as part
      from jsonb_each(value) as m
      offset 0
    ) as p;
  else
    v_any := v_any | (v_state & (search -> 'named')::bigint)
      | ((v_state & (search -> 'element')::bigint) << 1);
    v_leaf := tool_recall._reach(v_any, v_deep, v_single, false) & v_end <> 0;
    select
      jsonb_agg(coalesce((p.part).redacted, p.value) order by p.place), sum((p.part).hits)
    into v_result.redacted, v_result.hits
    from (
      select
        e.place, e.value,
        case
          when v_leaf or search -> 'places' ? n.name or case jsonb_typeof(e.value)
            when 'object' then v_any <> 0 or in_text
            when 'array' then v_any <> 0 or in_text
            when 'string' then in_text
          end then tool_recall._redact(
            e.value,
            v_any | ((v_state & coalesce((search -> 'places' -> n.name)::bigint, 0)) << 1),
            search, level + 1, in_text)
        end as part
      from jsonb_array_elements(value) with ordinality as e (value, place)
        cross join lateral (select (e.place - 1)::text as name) as n
      offset 0
    ) as p;
  end if;
  return case
    when v_result.hits > 0 then v_result else row(value, 0)::tool_recall._redaction
  end;
end
$$;
comment on function tool_recall._redact(jsonb, bigint, jsonb, integer, boolean) is
  'A value with all that a search finds in it replaced by "[redacted]"; so is what lies deeper than'
  ' 64 levels and might hold some. in_text: JSON that stands in strings is searched too';

create or replace function tool_recall._redact_text(
  value jsonb, state bigint, search jsonb, level integer
) returns tool_recall._redaction
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  v_text text := value #>> '{}';
  v_json jsonb := tool_recall._json_in_text(v_text);
  v_part tool_recall._redaction;
begin
  if jsonb_typeof(v_json) in ('object', 'array', 'string') then
    -- From where we are, and as a result of its own: content blocks hold whole results.
    v_part := tool_recall._redact(
      v_json, state | (search -> 'start')::bigint, search, level + 1, true);
    -- A key that stands there twice hides what its first value holds: then the text goes.
    if v_part.hits > 0 or (
      tool_recall._has_twice(v_text, v_json) and tool_recall._may_hold(v_text, search)
    ) then
      return row(to_jsonb(v_part.redacted::text), greatest(v_part.hits, 1));
    end if;
  elsif v_json is null and v_text ~ '^\s*(```\w*\s*)?([{]\s*"|\[\s*[[{"])' collate "C"
    and tool_recall._may_hold(v_text, search)
  then
    -- JSON that was cut, or that jsonb cannot hold: nothing in it can be found.
    return row(jsonb '"[redacted]"', 1);
  end if;
  return row(value, 0);
end
$$;
comment on function tool_recall._redact_text(jsonb, bigint, jsonb, integer) is
  'A string with what a search finds in the JSON that it holds replaced; all of it where it begins '
  'like JSON and cannot be read';

create or replace function tool_recall._has_twice(value text, parsed jsonb) returns boolean
language sql immutable parallel safe
return length(value) - length(replace(value, ':', ''))
  <> length(parsed::text) - length(replace(parsed::text, ':', ''));
comment on function tool_recall._has_twice(text, jsonb) is
  'Whether a JSON text may have had a key twice, of which jsonb keeps the last: it has other '
  'colons than what was read from it';
