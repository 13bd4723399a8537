create or replace function tool_recall._content_summary(
  value jsonb, of_total numeric, more boolean, key text, quote_free_text boolean
) returns text
language plpgsql stable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  v_key text;
  v_list jsonb;
  v_summary text;
begin
  case jsonb_typeof(value)
    when 'array' then
      return tool_recall._list_summary(value, of_total, more, key, quote_free_text);
    when 'object' then
      if value ?| array['columns', 'fields', 'headers', 'header', 'schema'] then
        v_list := tool_recall._table_rows(value);
        if v_list is not null then
          return tool_recall._list_summary(v_list, of_total, more, 'rows', quote_free_text);
        end if;
      end if;
      if value @> '{"errors": []}' or value @> '{"warnings": []}' then
        value := value - array(
          select k.key from unnest(array['errors', 'warnings']) as k (key)
          where _content_summary.value -> k.key = '[]');
      end if;
      v_key := tool_recall._longest_list(value);
      if v_key is null then
        return tool_recall._object_summary(value, quote_free_text);
      end if;
      v_list := value -> v_key;
      -- A list of mere values is a detail of a record that has figures.
      if jsonb_typeof(v_list -> 0) is distinct from 'object' then
        v_summary := tool_recall._arrays_summary(value);
        if v_summary is not null then
          return v_summary;
        end if;
        if jsonb_typeof(v_list -> 0) <> 'array' and tool_recall._has_figure(value) then
          return tool_recall._object_summary(value, quote_free_text);
        end if;
      end if;
      return tool_recall._list_summary(v_list, of_total, more, v_key, quote_free_text);
    when 'string' then
      return tool_recall._text_summary(value #>> '{}', quote_free_text);
    when 'null' then
      return 'no result';
    else
      return tool_recall._render_value(value, quote_free_text);
  end case;
end
$$;
comment on function tool_recall._content_summary(jsonb, numeric, boolean, text, boolean) is
  'What a result says once its envelopes are off';

create or replace function tool_recall._generic_summary(
  value jsonb, is_error boolean, quote_free_text boolean
) returns text
language plpgsql stable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  v_value jsonb := value;
  v_next jsonb;
  v_path text[];
  v_part jsonb;
  v_total numeric;
  v_more boolean := false;
  v_key text;
  v_media text;
  v_beside text;
  v_summary text;
begin
  if is_error then
    v_summary := tool_recall._error_summary(value, quote_free_text);
    return tool_recall._cut_summary(v_summary, 120);
  end if;
  -- Most objects are no envelope: looked at once, at a fifth of the cost.
  if jsonb_typeof(value) = 'object' and not tool_recall._says_more(value)
    and not jsonb_path_exists(value, 'strict $.* ? (@.type() == "object")') then
    v_summary := tool_recall._content_summary(value, null, false, null, quote_free_text);
    return tool_recall._cut_summary(v_summary, 120);
  end if;
  -- Envelopes, outermost first; ten are more than any provider nests.
  for i in 1..10 loop
    v_next := null;
    case jsonb_typeof(v_value)
      when 'string' then
        if v_value #>> '{}' ~ '^[^A-Za-z]*[][{"`0-9ntf-]' collate "C" then
          v_next := tool_recall._json_in_text(v_value #>> '{}');
        end if;
      when 'array' then
        if jsonb_typeof(v_value -> 0) = 'object' and v_value -> 0 ?| array[
          'type', 'text', 'json', 'toolResult', 'functionResponse'
        ] then
          if jsonb_array_length(v_value) = 1 and (
            tool_recall._is_call_message(v_value -> 0)
            or v_value -> 0 ?| array['toolResult', 'functionResponse']
          ) then
            v_next := v_value -> 0;
          elsif jsonb_array_length(v_value) = 1 and (v_value -> 0) - 'json' = '{}' then
            v_next := v_value #> '{0,json}';
          else
            v_next := tool_recall._unwrap_blocks(v_value);
            v_media := coalesce(v_media, (v_next ->> 'media')
              || coalesce(', ' || case when quote_free_text
                then tool_recall._first_name(v_next -> 'first') end, ''));
            v_next := v_next -> 'text';
          end if;
        end if;
      when 'object' then
        if v_value ->> 'type' = 'text' or v_value ? 'source'
          and tool_recall._media_kind(v_value ->> 'type') is not null then
          -- A content block that came without its array.
          v_value := jsonb_build_array(v_value);
          continue;
        end if;
        if tool_recall._tells_of_failure(v_value) and tool_recall._is_failure(v_value) then
          v_summary := tool_recall._error_summary(v_value, quote_free_text);
          return tool_recall._cut_summary(v_summary, 120);
        end if;
        if tool_recall._tells_of_paging(v_value) then
          v_total := coalesce(v_total, tool_recall._total(v_value));
          v_more := v_more or tool_recall._more(v_value);
          v_part := tool_recall._paging_part(v_value);
          if jsonb_typeof(v_part) = 'object' then
            v_total := coalesce(v_total, tool_recall._total(v_part));
            v_more := v_more or tool_recall._more(v_part);
          end if;
          v_part := tool_recall._links_part(v_value);
          if jsonb_typeof(v_part) = 'object' then
            v_more := v_more or tool_recall._more(v_part);
          end if;
        end if;
        if v_beside is null and tool_recall._names_an_amount(v_value) then
          v_beside := tool_recall._amount_beside(v_value);
        end if;
        v_path := null;
        if tool_recall._may_wrap(v_value) then
          v_path := tool_recall._wrapped(v_value);
        end if;
        if v_path is null and not v_value ?| array['columns', 'rows']
          and jsonb_path_exists(v_value, 'strict $.* ? (@.type() == "object")') then
          v_path := array[tool_recall._nested_key(v_value)];
        end if;
        v_next := v_value #> v_path;
        if v_path[1] = 'content' and v_next = '[]' and not v_value ? 'totalElements' then
          -- No block at all: the tool returned nothing.
          v_next := 'null';
        end if;
        -- The connection's name is what GraphQL calls the list.
        if v_path[1] not in ('edges', 'nodes', 'content', 'structuredContent') then
          v_key := v_path[1];
        end if;
      else
        null;
    end case;
    exit when v_next is null;
    v_value := v_next;
  end loop;

  if jsonb_typeof(v_value) in ('null', 'string') and v_media is not null
    and coalesce(v_value #>> '{}', '') = '' then
    return v_media;
  end if;
  v_summary := tool_recall._content_summary(v_value, v_total, v_more, v_key, quote_free_text);
  -- The amount of a bill or an account, next to its list.
  if v_summary ~ '^[0-9]+[+]? ' collate "C" and length(v_summary) + length(v_beside) < 118 then
    v_summary := v_summary || ', ' || v_beside;
  end if;
  if v_media is not null then
    v_summary := v_summary || ', ' || v_media;
  end if;
  return tool_recall._cut_summary(v_summary, 120);
end
$$;
comment on function tool_recall._generic_summary(jsonb, boolean, boolean) is
  'A summary for any result, no rule needed, of at most 120 characters: envelopes are unwrapped; '
  'then an error''s text, a list''s count, total and newest date, a series'' last value and change,'
  ' an object''s first figures, or the start of a text. docs/summaries.md has the order';
