\ir ../setup.psql
select plan(5);

select schema_privs_are(
  'tool_recall', 'recall_app', array['USAGE'], 'the chat service may use the schema'
);
select results_eq(
  $$
    select c.relname::text collate "default", p.privilege
    from pg_class as c
      cross join unnest(array[
        'select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger'
      ]) as p (privilege)
    where c.relnamespace = 'tool_recall'::regnamespace and c.relkind in ('r', 'v')
      and has_table_privilege('recall_app', c.oid, p.privilege)
    order by c.relname::text collate "C", p.privilege collate "C"
  $$,
  $$
    values
      ('_vocabulary', 'select'), ('_vocabulary_state', 'select'), ('capture_rules', 'select'),
      ('message_tool_results', 'insert'), ('message_tool_results', 'select'),
      ('settings', 'select'), ('summary_rules', 'select')
  $$,
  'it may read and add results, and read settings, rules and the vocabulary, no more'
);
select is_empty(
  $$
    select a.attrelid::regclass, a.attname
    from pg_attribute as a join pg_class as c on c.oid = a.attrelid
    where c.relnamespace = 'tool_recall'::regnamespace and a.attacl is not null
  $$,
  'it has nothing by the column'
);
select results_eq(
  $$
    select p.proname::text collate "default"
    from pg_proc as p
    where p.pronamespace = 'tool_recall'::regnamespace and not starts_with(p.proname, '_')
      and has_function_privilege('recall_app', p.oid, 'execute')
    order by p.proname::text collate "C"
  $$,
  $$
    values
      ('count_tokens'), ('erasure_report'), ('forget_conversation'), ('forget_user'),
      ('recall_block'), ('recall_lines'), ('recall_tool_result'), ('recall_tool_results'),
      ('record_tool_result'), ('record_tool_results'), ('summarize_tool_result'), ('version')
  $$,
  'it may record, recall, summarize, count, forget and report, no more'
);
select is_empty(
  $$
    select p.oid::regprocedure
    from pg_proc as p
    where p.pronamespace = 'tool_recall'::regnamespace
      and has_function_privilege('recall_app', p.oid, 'execute with grant option')
  $$,
  'none of it can it pass on'
);

select * from finish();
rollback;
