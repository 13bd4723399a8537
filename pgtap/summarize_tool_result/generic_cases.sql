\ir ../setup.psql
select plan(24);

create temporary table cases as
select c.name, c.has, c.lacks, tool_recall.summarize_tool_result(
  c.tool_name, '{}', c.tool_output::jsonb, c.is_error
) as summary
from (values
  (
    'a page of a longer list', 'list_invoices',
    '{"object": "list", "has_more": true, "total_count": 1240, "data": [
      {"id": "in_1", "amount_due": 4900, "created": "2026-04-01T10:00:00Z"},
      {"id": "in_2", "amount_due": 1900, "created": "2026-04-03T10:00:00Z"}]}',
    false, array['2 of 1240', '2026-04-03'], array['in_1', '[', '{']
  ),
  (
    'a bare array', 'search_products',
    '[{"sku": "A-1", "price": 10.5}, {"sku": "A-2", "price": 12}, {"sku": "A-3", "price": 8}]',
    false, array['3 items'], array['{', '[']
  ),
  ('an empty list', 'find_orders', '{"orders": []}', false, array['0 orders'], array['[']),
  (
    'a few scalars', 'get_balance', '{"currency": "EUR", "available": 1520.75, "pending": 80}',
    false, array['1520.75'], array['{']
  ),
  (
    'plain text', 'read_note',
    '"Renewal call moved to Thursday; the customer wants annual billing and two more seats."',
    false, array['Renewal call'], array[E'\n']
  ),
  ('a number', 'count_users', '41', false, array['41'], array['"']),
  ('null', 'lookup', 'null', false, array['no result'], array['null']),
  (
    'a failed call', 'query_site_data', '{"error": "upstream timeout after 30s"}',
    true, array['error', 'upstream timeout'], array['{']
  ),
  (
    'Anthropic content blocks', 'search_docs',
    '[{"type": "text",
      "text": "{\"results\": [{\"title\": \"Refunds\"}, {\"title\": \"Trials\"}]}"}]',
    false, array['2 results'], array['text', '{']
  ),
  (
    'an MCP result with both forms', 'get_weather',
    '{"content": [{"type": "text",
        "text": "{\"temperature\": 22.5, \"conditions\": \"Partly cloudy\"}"}],
      "structuredContent": {"temperature": 22.5, "conditions": "Partly cloudy"},
      "isError": false}',
    false, array['22.5'], array['structuredContent', 'isError']
  ),
  (
    'an image block', 'screenshot',
    '[{"type": "image", "source": {
      "type": "base64", "media_type": "image/png", "data": "iVBORw0KGgoAAAANSUhEUgAA"}}]',
    false, array['1 image'], array['iVBOR']
  ),
  (
    'a nested envelope', 'crm_contacts',
    '{"status": "ok", "data": {"items": [
        {"email": "x@example.com", "updated_at": "2026-02-02"},
        {"email": "y@example.com", "updated_at": "2026-02-07"}],
      "paging": {"total": 2}}}',
    false, array['2 items', '2026-02-07'], array['x@example.com', 'y@example.com']
  )
) as c (name, tool_name, tool_output, is_error, has, lacks);

select is_empty(
  format(
    $$
      select w.word, c.summary from cases as c cross join lateral unnest(c.has) as w (word)
      where c.name = %L and (strpos(c.summary, w.word) > 0) is not true
    $$, c.name
  ),
  format('%s: says what matters', c.name)
)
from cases as c;
select is_empty(
  format(
    $$
      select w.word, c.summary from cases as c cross join lateral unnest(c.lacks) as w (word)
      where c.name = %L and (strpos(c.summary, w.word) = 0) is not true
    $$, c.name
  ),
  format('%s: and nothing else', c.name)
)
from cases as c;

select * from finish();
rollback;
