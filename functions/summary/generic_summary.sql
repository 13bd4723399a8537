create or replace function tool_recall._is_noun(key text) returns boolean
language sql immutable parallel safe
return key ~ '^[A-Za-z][A-Za-z0-9_]{0,29}$' collate "C";
comment on function tool_recall._is_noun(text) is
  'Whether an output''s key may stand bare in a line';

create or replace function tool_recall._singular(noun text) returns text
language sql immutable parallel safe
return case when noun ~ '[^s]s$' collate "C" then left(noun, -1) else noun end;
comment on function tool_recall._singular(text) is 'The noun for one: without a final s';

create or replace function tool_recall._count_noun(
  amount integer, of_total numeric, more boolean, noun text
) returns text
language sql immutable parallel safe
return case
  when of_total > amount
    then amount::text || ' of ' || tool_recall._number_text(of_total) || ' ' || noun
  when more then amount::text || '+ ' || noun
  when amount = 1 then '1 ' || tool_recall._singular(noun)
  else amount::text || ' ' || noun
end;
comment on function tool_recall._count_noun(integer, numeric, boolean, text) is
  'How many of what, out of how many when that is known';

create or replace function tool_recall._date_rank(key text) returns integer
language sql immutable parallel safe
return case
  when key ~ '([Ee]xpir|[Dd]ue|[Uu]ntil|[Dd]eadline|[Bb]irth|[Nn]ext)' collate "C" then 2
  when key ~ (
    '([Cc]reat|[Uu]pdat|[Rr]egist|[Mm]odif|[Pp]ublish|[Dd]ate|[Tt]ime|_at$|At$|On$)' collate "C")
    then 0
  else 1
end;
comment on function tool_recall._date_rank(text) is
  '0 for a field whose name says that it happened, 2 for one that may lie ahead, else 1';

create or replace function tool_recall._date_key(item jsonb) returns text
language plpgsql stable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  -- A cheap look first: most rows have no field, or one, that can be a date.
  v_pairs jsonb := jsonb_path_query_array(
    item, '$.keyvalue() ? (@.value starts with "20" || @.value starts with "19")');
  v_key text;
  v_day text;
  v_best text;
  v_best_rank integer := 3;
begin
  for i in 0..jsonb_array_length(v_pairs) - 1 loop
    v_key := v_pairs -> i ->> 'key';
    v_day := v_pairs -> i ->> 'value';
    continue when tool_recall._iso_day(v_day) is null or not tool_recall._is_noun(v_key)
      or tool_recall._date_rank(v_key) >= v_best_rank;
    v_best := v_key;
    exit when jsonb_array_length(v_pairs) = 1;
    v_best_rank := tool_recall._date_rank(v_key);
  end loop;
  return v_best;
end
$$;
comment on function tool_recall._date_key(jsonb) is
  'The field of a list''s row that tells most of when: of those that hold a date the first of the'
  ' lowest rank; null where there is none';

create or replace function tool_recall._newest_day(items jsonb, key text) returns text
language plpgsql stable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  v_newest text;
  v_uniform boolean;
begin
  -- Days, or timestamps in UTC, of one length sort as texts; others are brought to their UTC day
  -- first.
  select
    max(d.moment collate "C"),
    min(length(d.moment)) = max(length(d.moment))
    and (bool_and(d.moment like '%Z') or max(length(d.moment)) = 10)
  into v_newest, v_uniform
  from (
    -- offset 0: looked up once a row.
    select e.value ->> _newest_day.key as moment from jsonb_array_elements(items) as e offset 0
  ) as d;
  v_newest := tool_recall._iso_day(v_newest);
  if v_newest is null or not v_uniform then
    v_newest := (
      select max(tool_recall._iso_day(e.value ->> _newest_day.key) collate "C")
      from jsonb_array_elements(items) as e
    );
  end if;
  return v_newest;
end
$$;
comment on function tool_recall._newest_day(jsonb, text) is
  'The newest UTC day that a field of a list''s rows holds';

create or replace function tool_recall._list_summary(
  items jsonb, of_total numeric, more boolean, key text
) returns text
language plpgsql stable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  -- The key that holds the list names what it lists, unless it is an envelope's.
  v_noun text := case
    when tool_recall._is_noun(key)
      and key not in ('data', 'value', 'result', 'response', 'edges', 'hits')
      then key
    else 'items'
  end;
  v_amount integer := jsonb_array_length(items);
  v_count text := tool_recall._count_noun(v_amount, of_total, more, v_noun);
  v_key text;
begin
  if jsonb_typeof(items -> 0) = 'object' then
    -- The first row tells the field for all.
    v_key := tool_recall._date_key(items -> 0);
    if v_key is not null then
      return v_count || ', newest ' || v_key || ' ' || tool_recall._newest_day(items, v_key);
    end if;
  end if;
  return v_count;
end
$$;
comment on function tool_recall._list_summary(jsonb, numeric, boolean, text) is
  'A list in a line: how many, out of how many, the newest date of the field that looks like one';

create or replace function tool_recall._scalars_summary(value jsonb, quote_free_text boolean)
returns text
language plpgsql stable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  v_parts text;
begin
  select string_agg(p.part, ', ' order by p.rank, p.place) into v_parts
  from (
    select
      e.place,
      case jsonb_typeof(e.value) when 'number' then 1 when 'boolean' then 2 else 3 end as rank,
      e.key || ' ' || tool_recall._render_value(e.value, quote_free_text) as part
    from jsonb_each(value) with ordinality as e (key, value, place)
    where jsonb_typeof(e.value) in ('number', 'boolean', 'string')
      and tool_recall._is_noun(e.key)
      and e.key !~* '^(id|uuid|object|type|kind)$|_id$' collate "C"
      and e.value #>> '{}' !~ '@' collate "C"
    order by rank, e.place
    limit 2
  ) as p;
  return coalesce(v_parts, (
    select case count(*)
      when 0 then 'no result' when 1 then '1 field' else count(*) || ' fields' end
    from jsonb_object_keys(value)
  ));
end
$$;
comment on function tool_recall._scalars_summary(jsonb, boolean) is
  'An object in a line: its first two figures with their keys, numbers before booleans and texts';

create or replace function tool_recall._error_text(value jsonb) returns text
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  v_value jsonb := value;
  v_next jsonb;
begin
  for i in 1..6 loop
    case jsonb_typeof(v_value)
      when 'string' then
        return v_value #>> '{}';
      when 'array' then
        v_next := v_value -> 0;
      when 'object' then
        v_next := coalesce(
          nullif(v_value -> 'error', 'null'), nullif(v_value -> 'message', 'null'),
          nullif(v_value -> 'error_description', 'null'), nullif(v_value -> 'detail', 'null'),
          nullif(v_value -> 'errors', 'null'), nullif(v_value -> 'reason', 'null'),
          nullif(v_value -> 'title', 'null'), nullif(v_value -> 'text', 'null'),
          nullif(v_value -> 'content', 'null'), nullif(v_value -> 'code', 'null'));
      else
        return nullif(v_value #>> '{}', '');
    end case;
    exit when v_next is null;
    v_value := v_next;
  end loop;
  return null;
end
$$;
comment on function tool_recall._error_text(jsonb) is
  'What a failed call says of itself, in the shapes that providers use; null where it says nothing';

create or replace function tool_recall._unwrap_text(value text) returns jsonb
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
begin
  return value::jsonb;
exception when others then
  return null;
end
$$;
comment on function tool_recall._unwrap_text(text) is
  'The array or object that a text holds as JSON; null where it holds none';

create or replace function tool_recall._unwrap_blocks(value jsonb) returns jsonb
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
begin
  -- Content blocks, as Anthropic, OpenAI and MCP have them: objects of which each names its type.
  if jsonb_array_length(value) = 0 or exists (
    select from jsonb_array_elements(value) as e
    where coalesce(e.value ->> 'type', '') not in (
      'text', 'input_text', 'output_text', 'image', 'image_url', 'input_image', 'document', 'audio',
      'resource', 'resource_link', 'file'
    )
  ) then
    return null;
  end if;
  return (
    select jsonb_build_object(
      'text', string_agg(e.value ->> 'text', ' ' order by e.place) filter (where e.value ? 'text'),
      'media', (
        select string_agg(
          m.amount || ' ' || m.kind || case when m.amount = 1 then '' else 's' end, ', '
          order by m.first_place)
        from (
          select k.kind, count(*) as amount, min(k.place) as first_place
          from (
            select
              f.place,
              regexp_replace(f.value ->> 'type', '^input_|_url$' collate "C", '', 'g') as kind
            from jsonb_array_elements(_unwrap_blocks.value) with ordinality as f (value, place)
            where not f.value ? 'text'
          ) as k
          group by k.kind
        ) as m
      )
    )
    from jsonb_array_elements(value) with ordinality as e (value, place)
  );
end
$$;
comment on function tool_recall._unwrap_blocks(jsonb) is
  'Content blocks as {text, media}: their texts joined, and how many of what else; null where the'
  ' array holds anything but content blocks';

create or replace function tool_recall._total(value jsonb) returns numeric
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  v_total numeric := coalesce(
    tool_recall._number(value -> 'total'), tool_recall._number(value -> 'total_count'),
    tool_recall._number(value -> 'totalCount'), tool_recall._number(value -> 'totalResults'),
    tool_recall._number(value -> 'total_results'), tool_recall._number(value #> '{meta,total}'),
    tool_recall._number(value #> '{paging,total}'),
    tool_recall._number(value #> '{pagination,total}'),
    tool_recall._number(value #> '{page,total}'));
begin
  return case when v_total >= 0 and v_total = trunc(v_total) then v_total end;
end
$$;
comment on function tool_recall._total(jsonb) is
  'How many a page of a longer list says there are in all';

create or replace function tool_recall._generic_summary(
  value jsonb, is_error boolean, quote_free_text boolean
) returns text
language plpgsql stable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  v_value jsonb := value;
  v_next jsonb;
  v_failed boolean := is_error;
  v_total numeric;
  v_more boolean := false;
  v_key text;
  v_lists jsonb;
  v_media text;
  v_text text;
begin
  -- Envelopes, outermost first; eight are more than any provider nests.
  for i in 1..8 loop
    v_next := null;
    case jsonb_typeof(v_value)
      when 'string' then
        if v_value #>> '{}' ~ '^[[:space:]]*[[{]' collate "C" then
          v_next := tool_recall._unwrap_text(v_value #>> '{}');
        end if;
      when 'array' then
        if v_value -> 0 ? 'type' then
          v_next := tool_recall._unwrap_blocks(v_value);
        end if;
        if v_next is not null then
          v_media := coalesce(v_media, v_next ->> 'media');
          v_next := v_next -> 'text';
        end if;
      when 'object' then
        v_failed := v_failed or v_value @> '{"isError": true}';
        if v_value ?| array[
          'has_more', 'hasMore', 'total', 'total_count', 'totalCount', 'totalResults',
          'total_results', 'meta', 'paging', 'pagination', 'page'
        ] then
          v_more := v_more or v_value @> '{"has_more": true}' or v_value @> '{"hasMore": true}';
          v_total := coalesce(v_total, tool_recall._total(v_value));
        end if;
        if v_value ?| array['structuredContent', 'content', 'data', 'response', 'result'] then
          select e.key, e.value into v_key, v_next
          from unnest(array['structuredContent', 'content', 'data', 'response', 'result'])
            with ordinality as k (key, place)
            join jsonb_each(v_value) as e
              on e.key = k.key and jsonb_typeof(e.value) in ('object', 'array')
          where e.key <> 'content'
            or (jsonb_typeof(e.value) = 'array' and tool_recall._unwrap_blocks(e.value) is not null)
          order by k.place
          limit 1;
        end if;
      else
        null;
    end case;
    exit when v_next is null or jsonb_typeof(v_next) = 'null';
    v_value := v_next;
  end loop;

  if v_failed or (
    jsonb_typeof(v_value) = 'object' and jsonb_typeof(v_value -> 'error') in ('string', 'object')
  ) then
    v_text := tool_recall._error_text(v_value);
    if v_text is null then
      return 'error';
    end if;
    return 'error ' || case when quote_free_text
      then tool_recall._quote_text(v_text, 100) else '"' || chr(8230) || '"' end;
  end if;
  if jsonb_typeof(v_value) = 'object' then
    v_lists := jsonb_path_query_array(v_value, '$.keyvalue() ? (@.value.type() == "array")');
    if jsonb_array_length(v_lists) > 1 then
      -- Of several lists the longest.
      v_lists := (
        select jsonb_build_array(e.value)
        from jsonb_array_elements(v_lists) with ordinality as e (value, place)
        order by jsonb_array_length(e.value -> 'value') desc, e.place
        limit 1
      );
    end if;
    if jsonb_array_length(v_lists) = 1 then
      return tool_recall._list_summary(
        v_lists #> '{0,value}', v_total, v_more, v_lists #>> '{0,key}');
    end if;
  end if;
  return case jsonb_typeof(v_value)
    when 'array' then coalesce(v_media, tool_recall._list_summary(v_value, v_total, v_more, v_key))
    when 'object' then tool_recall._scalars_summary(v_value, quote_free_text)
    when 'null' then coalesce(v_media, 'no result')
    when 'string' then case
      when v_value #>> '{}' !~ '[!-~]' collate "C"
        and tool_recall._clean_text(left(v_value #>> '{}', 4000)) = '' then 'no result'
      when quote_free_text then tool_recall._quote_text(v_value #>> '{}', 100)
      else '"' || chr(8230) || '"'
    end
    else tool_recall._render_value(v_value, quote_free_text)
  end;
end
$$;
comment on function tool_recall._generic_summary(jsonb, boolean, boolean) is
  'A summary for any result, no rule needed: envelopes are unwrapped; then an error''s text, a '
  'list''s count, total and newest date, an object''s first figures, or the start of a text';
