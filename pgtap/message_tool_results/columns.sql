\ir ../setup.psql
select plan(5);

select columns_are(
  'tool_recall', 'message_tool_results',
  array[
    'id', 'user_id', 'message_id', 'conversation_id', 'tool_name', 'tool_input', 'tool_output',
    'created_at', 'seq', 'tool_use_id', 'is_error', 'recall_line', 'recall_tokens', 'repairs'
  ],
  'the table has the columns of the contract and no others'
);
select results_eq(
  $$
    select a.attname::text collate "default", format_type(a.atttypid, a.atttypmod), a.attnotnull
    from pg_attribute as a
    where a.attrelid = 'tool_recall.message_tool_results'::regclass and a.attnum > 0
    order by a.attname::text collate "C"
  $$,
  $$
    values
      ('conversation_id', 'uuid', true),
      ('created_at', 'timestamp with time zone', true),
      ('id', 'uuid', true),
      ('is_error', 'boolean', true),
      ('message_id', 'uuid', true),
      ('recall_line', 'text', true),
      ('recall_tokens', 'integer', true),
      ('repairs', 'jsonb', false),
      ('seq', 'bigint', true),
      ('tool_input', 'jsonb', true),
      ('tool_name', 'character varying(128)', true),
      ('tool_output', 'jsonb', true),
      ('tool_use_id', 'text', false),
      ('user_id', 'uuid', true)
  $$,
  'each column has its type, host keys the host''s, and only two may be null'
);
select col_is_pk('tool_recall', 'message_tool_results', 'id', 'id is the primary key');
select results_eq(
  $$
    select a.attname::text collate "default", pg_get_expr(d.adbin, d.adrelid) collate "default"
    from pg_attrdef as d
      join pg_attribute as a on a.attrelid = d.adrelid and a.attnum = d.adnum
    where d.adrelid = 'tool_recall.message_tool_results'::regclass
    order by a.attname::text collate "C"
  $$,
  $$
    values
      ('created_at', 'clock_timestamp()'),
      ('id', 'gen_random_uuid()'),
      ('is_error', 'false')
  $$,
  'id, created_at and is_error have defaults'
);
select is(
  (
    select a.attidentity from pg_attribute as a
    where a.attrelid = 'tool_recall.message_tool_results'::regclass and a.attname = 'seq'
  ),
  'a',
  'seq is an identity that an INSERT cannot choose'
);

select * from finish();
rollback;
