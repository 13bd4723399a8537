create or replace function tool_recall._block_header() returns text
language sql immutable parallel safe
return U&'Previously fetched (this conversation, snapshots \2014 not live data):';
comment on function tool_recall._block_header() is 'The first line of a block';

create or replace function tool_recall._block_instruction() returns text
language sql immutable parallel safe
return U&'IMPORTANT: when referencing a row above, always prefix with "as of <date>".\000A'
    'If the user is asking about CURRENT state, call the tool fresh \2014 do not\000A'
    'present these snapshots as live data.';
comment on function tool_recall._block_instruction() is 'The last three lines of a block';

create or replace function tool_recall._block_copy_tokens() returns integer
language sql immutable parallel safe
return 12 + 43;
comment on function tool_recall._block_copy_tokens() is
  'Tokens of the header with its line break and of the instruction with the blank line before it,'
  ' as tiktoken counts them in cl100k_base';
