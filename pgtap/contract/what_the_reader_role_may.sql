\ir ../setup.psql
select plan(5);
select tool_recall.grant_reader('recall_reader');

select schema_privs_are(
  'tool_recall', 'recall_reader', array['USAGE'], 'the reader role may use the schema'
);
select results_eq(
  $$
    select c.relname::text collate "default", p.privilege
    from pg_class as c
      cross join unnest(array[
        'select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger'
      ]) as p (privilege)
    where c.relnamespace = 'tool_recall'::regnamespace and c.relkind in ('r', 'v')
      and has_table_privilege('recall_reader', c.oid, p.privilege)
    order by c.relname::text collate "C", p.privilege collate "C"
  $$,
  $$
    values
      ('message_tool_results', 'select'), ('settings', 'select')
  $$,
  'it may read results and settings, no more'
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
    where p.pronamespace = 'tool_recall'::regnamespace
      and has_function_privilege('recall_reader', p.oid, 'execute')
    order by p.proname::text collate "C"
  $$,
  $$
    values
      ('_block_copy_tokens'), ('_block_header'), ('_block_instruction'), ('_is_repeated'),
      ('_recall_block'), ('_recall_candidates'), ('_recall_rows'), ('_setting_user_id'),
      ('recall_block'), ('recall_lines'), ('recall_tool_result'), ('recall_tool_results'),
      ('version')
  $$,
  'it may recall, no more'
);
select is_empty(
  $$
    select p.oid::regprocedure
    from pg_proc as p
    where p.pronamespace = 'tool_recall'::regnamespace
      and has_function_privilege('recall_reader', p.oid, 'execute with grant option')
  $$,
  'none of it can it pass on'
);

select * from finish();
rollback;
