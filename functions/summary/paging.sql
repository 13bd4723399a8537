create or replace function tool_recall._whole_number(value jsonb) returns numeric
language sql immutable parallel safe
return case
  when value #>> '{}' ~ '^[0-9]{1,15}$' collate "C" and jsonb_typeof(value) in ('number', 'string')
    then (value #>> '{}')::numeric
end;
comment on function tool_recall._whole_number(jsonb) is
  'A count, which some services write as a text; null of anything else';

create or replace function tool_recall._tells_of_paging(value jsonb) returns boolean
language sql immutable parallel safe
return value ?| array[
  'total', 'total_count', 'totalCount', 'totalResults', 'total_results', 'totalSize', 'total_size',
  'totalElements', 'total_elements', 'totalItems', 'total_items', 'totalRecords', 'total_records',
  'totalHits', 'total_hits', 'totalRows', 'total_rows', 'recordsTotal', 'numFound', 'nbHits',
  'estimatedTotalHits', 'found', '@odata.count', 'count', 'has_more', 'hasMore', 'has_next',
  'hasNext', 'has_next_page', 'hasNextPage', 'is_truncated', 'isTruncated', 'IsTruncated',
  'next_cursor', 'nextCursor', 'next_page', 'nextPage', 'next_page_token', 'nextPageToken',
  'next_token', 'nextToken', 'NextToken', 'NextMarker', 'next_page_url', 'next_url', 'next',
  'nextLink', '@odata.nextLink', 'nextRecordsUrl', 'LastEvaluatedKey', 'continue', 'after', 'page',
  'meta', 'paging', 'pagination', 'pageInfo', 'page_info', 'metadata', 'response_metadata', 'links',
  '_links', 'searchInformation', 'last'
];
comment on function tool_recall._tells_of_paging(jsonb) is
  'Whether _total or _more may find something in an object: a cheap look first';

create or replace function tool_recall._is_bill(value jsonb) returns boolean
language sql immutable parallel safe
return value ?| array[
  'currency', 'subtotal', 'sub_total', 'tax', 'amount', 'price', 'discount', 'shipping'];
comment on function tool_recall._is_bill(jsonb) is
  'Whether an object''s total is a sum of money, not a count';

create or replace function tool_recall._total(value jsonb) returns numeric
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  v_total jsonb := value -> 'total';
begin
  if jsonb_typeof(v_total) = 'object' then
    -- Elasticsearch has {"value": 12, "relation": "eq"}.
    v_total := v_total -> 'value';
  elsif v_total is not null and tool_recall._is_bill(value) then
    v_total := null;
  end if;
  -- The first of these that is there; a count that is none is no total.
  return tool_recall._whole_number(coalesce(
    value -> 'total_count', value -> 'totalCount', value -> 'totalResults',
    value -> 'total_results', value -> 'totalSize', value -> 'total_size',
    value -> 'totalElements', value -> 'total_elements', value -> 'totalItems',
    value -> 'total_items', value -> 'totalRecords', value -> 'total_records',
    value -> 'totalHits', value -> 'total_hits', value -> 'totalRows', value -> 'total_rows',
    value -> 'recordsTotal', value -> 'numFound', value -> 'nbHits',
    value -> 'estimatedTotalHits', value -> 'found', value -> '@odata.count', v_total,
    value -> 'count'
  ));
end
$$;
comment on function tool_recall._total(jsonb) is
  'How many a page of a longer list says there are in all; null where it says nothing';

create or replace function tool_recall._more(value jsonb) returns boolean
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
begin
  return value @> '{"last": false}' or value @> '{"done": false}' and value ? 'records'
    or coalesce(tool_recall._whole_number(value -> 'page') < tool_recall._whole_number(coalesce(
      value -> 'total_pages', value -> 'totalPages', value -> 'pages',
      value -> 'last_page')), false)
    -- Two that say different things are not known: the first speaks.
    or coalesce(
      coalesce(
        nullif(value -> 'has_more', 'null'), nullif(value -> 'hasMore', 'null'),
        nullif(value -> 'has_next', 'null'), nullif(value -> 'hasNext', 'null'),
        nullif(value -> 'has_next_page', 'null'), nullif(value -> 'hasNextPage', 'null'),
        nullif(value -> 'is_truncated', 'null'), nullif(value -> 'isTruncated', 'null'),
        nullif(value -> 'IsTruncated', 'null'), nullif(value -> 'next_cursor', 'null'),
        nullif(value -> 'nextCursor', 'null'), nullif(value -> 'next_page', 'null'),
        nullif(value -> 'nextPage', 'null'), nullif(value -> 'next_page_token', 'null'),
        nullif(value -> 'nextPageToken', 'null'), nullif(value -> 'next_token', 'null'),
        nullif(value -> 'nextToken', 'null'), nullif(value -> 'NextToken', 'null'),
        nullif(value -> 'NextMarker', 'null'), nullif(value -> 'next_page_url', 'null'),
        nullif(value -> 'next_url', 'null'), nullif(value -> 'next', 'null'),
        nullif(value -> 'nextLink', 'null'), nullif(value -> '@odata.nextLink', 'null'),
        nullif(value -> 'nextRecordsUrl', 'null'), nullif(value -> 'LastEvaluatedKey', 'null'),
        nullif(value -> 'continue', 'null'), nullif(value -> 'after', 'null')
      ) not in ('false', '""', '{}', '[]', '0'), false);
end
$$;
comment on function tool_recall._more(jsonb) is
  'Whether a page says that another follows: a flag, or a cursor, token or address of the next';

create or replace function tool_recall._paging_part(value jsonb) returns jsonb
language sql immutable parallel safe
return coalesce(
  value #> '{meta,pagination}', value #> '{meta,page}', value #> '{meta,paging}', value -> 'meta',
  value -> 'paging', value -> 'pagination', value -> 'pageInfo', value -> 'page_info',
  value -> 'metadata', value -> 'response_metadata', value -> 'searchInformation', value -> 'page');
comment on function tool_recall._paging_part(jsonb) is
  'Where within a page services put what they say of paging; null where there is no such part';

create or replace function tool_recall._links_part(value jsonb) returns jsonb
language sql immutable parallel safe
return coalesce(value -> 'links', value -> '_links', value #> '{paging,next}');
comment on function tool_recall._links_part(jsonb) is
  'Where within a page services put the addresses of others; null where there is no such part';
