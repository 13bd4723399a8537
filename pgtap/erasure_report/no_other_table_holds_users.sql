\ir ../setup.psql
select plan(2);

-- A table that comes later is to be counted by the report, or to be named here as one that holds
-- nothing of a user.
select set_eq(
  $$
    select c.relname::text
    from pg_class as c
    where c.relnamespace = 'tool_recall'::regnamespace and c.relkind in ('r', 'p', 'm')
      and format('tool_recall.%I', c.relname) not in (
        select r.relation from tool_recall.erasure_report(pg_temp.id('ada')) as r
      )
  $$,
  $$
    values
      ('_counters'), ('_erasures'), ('_metric_tools'), ('_migrations'), ('_over_cap'),
      ('_retention_state'), ('_vocabulary'), ('_vocabulary_state'), ('capture_rules'), ('settings'),
      ('summary_rules')
  $$,
  'the report counts all tables but these'
);
select is_empty(
  $$
    select c.relname, a.attname
    from pg_class as c join pg_attribute as a on a.attrelid = c.oid
    where c.relnamespace = 'tool_recall'::regnamespace and c.relkind in ('r', 'p', 'm')
      and a.attname in ('user_id', 'conversation_id', 'message_id', 'tool_input', 'tool_output')
      and c.relname <> 'message_tool_results'
  $$,
  'which have no key of a host''s row and no value'
);

select * from finish();
rollback;
