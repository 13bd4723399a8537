create or replace function tool_recall._says_more(value jsonb) returns boolean
language sql immutable parallel safe
return tool_recall._tells_of_failure(value) or tool_recall._tells_of_paging(value)
  or tool_recall._may_wrap(value) or tool_recall._names_an_amount(value)
  or value ?| array['text', 'source'];
comment on function tool_recall._says_more(jsonb) is
  'Whether an object may be an envelope, or say anything but what it holds: of paging, of failure, '
  'of an amount beside its list';
