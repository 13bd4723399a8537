create or replace function tool_recall._block_header() returns text
language sql immutable parallel safe
return 'Previously fetched (this conversation, snapshots ' || chr(8212) || ' not live data):';
comment on function tool_recall._block_header() is 'The first line of a block';

create or replace function tool_recall._block_instruction() returns text
language sql immutable parallel safe
return 'IMPORTANT: when referencing a row above, always prefix with "as of <date>".' || chr(10)
  || 'If the user is asking about CURRENT state, call the tool fresh ' || chr(8212) || ' do not'
  || chr(10) || 'present these snapshots as live data.';
comment on function tool_recall._block_instruction() is 'The last three lines of a block';

create or replace function tool_recall._block_copy_tokens() returns integer
language sql immutable parallel safe
return 12 + 43;
comment on function tool_recall._block_copy_tokens() is
  'Tokens of the header with its line break and of the instruction with the blank line before it,'
  ' as tiktoken counts them in cl100k_base';
