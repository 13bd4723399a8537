\ir ../setup.psql
select plan(5);
select tool_recall.grant_operator('recall_operator');

select schema_privs_are(
  'tool_recall', 'recall_operator', array['USAGE'], 'the operator role may use the schema'
);
select results_eq(
  $$
    select c.relname::text collate "default", p.privilege
    from pg_class as c
      cross join unnest(array[
        'select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger'
      ]) as p (privilege)
    where c.relnamespace = 'tool_recall'::regnamespace and c.relkind in ('r', 'v')
      and has_table_privilege('recall_operator', c.oid, p.privilege)
    order by c.relname::text collate "C", p.privilege collate "C"
  $$,
  $$
    values
      ('_vocabulary_state', 'select'), ('metrics', 'select'), ('status', 'select')
  $$,
  'it may read metrics and status, and no result'
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
      and has_function_privilege('recall_operator', p.oid, 'execute')
    order by p.proname::text collate "C"
  $$,
  $$
    values
      ('_fold_counters'), ('_is_exact'), ('_note_purge'), ('_purge_expired_batch'),
      ('_purge_over_cap_batch'), ('_scheduler'), ('purge_expired'), ('version')
  $$,
  'it may purge, no more'
);
select is_empty(
  $$
    select p.oid::regprocedure
    from pg_proc as p
    where p.pronamespace = 'tool_recall'::regnamespace
      and has_function_privilege('recall_operator', p.oid, 'execute with grant option')
  $$,
  'none of it can it pass on'
);

select * from finish();
rollback;
