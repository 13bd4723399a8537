\ir ../setup.psql
select plan(4);

select is(
  (
    select array_agg(a.attname::text order by k.place)
    from pg_index as i
      cross join lateral unnest(i.indkey::smallint[]) with ordinality as k (number, place)
      join pg_attribute as a on a.attrelid = i.indrelid and a.attnum = k.number
    where i.indexrelid = 'tool_recall.ix_message_tool_results_conversation_recency'::regclass
      and i.indpred is null and i.indisvalid
  ),
  array['conversation_id', 'user_id', 'created_at', 'seq'],
  'one index serves recall, cap and the cascade of conversations'
);
select isnt_empty(
  $$
    select from pg_index as i join pg_attribute as a on a.attrelid = i.indrelid
    where i.indrelid = 'tool_recall.message_tool_results'::regclass and i.indisvalid
      and i.indpred is null and a.attname = 'user_id' and i.indkey[0] = a.attnum
  $$,
  'an index begins with user_id'
);
select isnt_empty(
  $$
    select from pg_index as i join pg_attribute as a on a.attrelid = i.indrelid
    where i.indrelid = 'tool_recall.message_tool_results'::regclass and i.indisvalid
      and i.indpred is null and a.attname = 'created_at' and i.indkey[0] = a.attnum
  $$,
  'an index begins with created_at'
);
select col_is_unique(
  'tool_recall', 'message_tool_results', array['message_id', 'tool_use_id'],
  'a unique index of message_id and tool_use_id serves the cascade of messages too'
);

select * from finish();
rollback;
