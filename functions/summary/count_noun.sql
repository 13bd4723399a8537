create or replace function tool_recall._is_noun(key text) returns boolean
language sql immutable parallel safe
return key ~ '^[A-Za-z][A-Za-z0-9_]{0,29}$' collate "C" and tool_recall._is_public_name(key);
comment on function tool_recall._is_noun(text) is
  'Whether an output''s key may stand bare in a line';

create or replace function tool_recall._array_length(value jsonb) returns integer
language sql immutable parallel safe
return case when jsonb_typeof(value) = 'array' then jsonb_array_length(value) end;
comment on function tool_recall._array_length(jsonb) is
  'How many elements an array has; null of what is no array, in whichever order a query''s '
  'conditions'
  ' are tested';

create or replace function tool_recall._singular(noun text) returns text
language sql immutable parallel safe
return case when noun ~ '[^s]s$' collate "C" then left(noun, -1) else noun end;
comment on function tool_recall._singular(text) is 'The noun for one: without a final s';

create or replace function tool_recall._list_noun(key text) returns text
language sql immutable parallel safe
return case
  -- The names of envelopes say nothing of what is in them.
  when key in (
    'data', 'value', 'result', 'response', 'edges', 'nodes', 'content', 'output', 'body', 'payload',
    'list', 'structuredContent'
  ) then 'items'
  when tool_recall._is_noun(key) then key
  else 'items'
end;
comment on function tool_recall._list_noun(text) is
  'What a list holds, by the key that holds it; items where the key is that of an envelope, or not '
  'plain';

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
  'How many of what, out of how many when that is known, with a plus when there are more';
