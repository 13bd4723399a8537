\ir ../setup.psql
select plan(3);

select is_empty(
  $$
    select p.oid::regprocedure
    from pg_proc as p
      cross join lateral aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) as a
    where p.pronamespace = 'tool_recall'::regnamespace and a.grantee = 0
  $$,
  'no function is executable by PUBLIC'
);
select is_empty(
  $$
    select c.relname, a.privilege_type
    from pg_class as c
      cross join lateral aclexplode(c.relacl) as a
    where c.relnamespace = 'tool_recall'::regnamespace and c.relkind in ('r', 'v', 'S')
      and a.grantee = 0
  $$,
  'no table, view or sequence is open to PUBLIC'
);
select is_empty(
  $$
    select a.privilege_type
    from pg_namespace as n
      cross join lateral aclexplode(coalesce(n.nspacl, acldefault('n', n.nspowner))) as a
    where n.nspname = 'tool_recall' and a.grantee = 0
  $$,
  'nor is the schema'
);

select * from finish();
rollback;
