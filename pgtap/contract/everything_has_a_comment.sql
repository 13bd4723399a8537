\ir ../setup.psql
select plan(4);

select is_empty(
  $$
    select p.oid::regprocedure
    from pg_proc as p
    where p.pronamespace = 'tool_recall'::regnamespace
      and coalesce(obj_description(p.oid, 'pg_proc'), '') = ''
  $$,
  'every function and procedure'
);
select is_empty(
  $$
    select c.oid::regclass
    from pg_class as c
    where c.relnamespace = 'tool_recall'::regnamespace and c.relkind in ('r', 'v')
      and coalesce(obj_description(c.oid, 'pg_class'), '') = ''
  $$,
  'every table and view'
);
select is_empty(
  $$
    select c.oid::regclass, a.attname
    from pg_class as c join pg_attribute as a on a.attrelid = c.oid
    where c.relnamespace = 'tool_recall'::regnamespace and c.relkind in ('r', 'v')
      and not starts_with(c.relname, '_') and a.attnum > 0 and not a.attisdropped
      and coalesce(col_description(c.oid, a.attnum), '') = ''
  $$,
  'every column of a public table or view'
);
select isnt(
  obj_description('tool_recall'::regnamespace, 'pg_namespace'), null, 'and the schema'
);

select * from finish();
rollback;
