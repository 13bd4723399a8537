\ir ../setup.psql
select plan(4);
select tool_recall.grant_app('recall_app');
select tool_recall.grant_reader('recall_app');
select tool_recall.grant_operator('recall_app');
grant update (recall_line) on tool_recall.message_tool_results to recall_app;
grant usage on all sequences in schema tool_recall to recall_app;
select tool_recall.revoke_all('recall_app');

select ok(not has_schema_privilege('recall_app', 'tool_recall', 'usage'), 'the schema is closed');
select is_empty(
  $$
    select c.relname, a.privilege_type
    from pg_class as c cross join lateral aclexplode(c.relacl) as a
    where c.relnamespace = 'tool_recall'::regnamespace and a.grantee = 'recall_app'::regrole
    union all
    select t.attname, a.privilege_type
    from pg_attribute as t
      join pg_class as c on c.oid = t.attrelid
      cross join lateral aclexplode(t.attacl) as a
    where c.relnamespace = 'tool_recall'::regnamespace and a.grantee = 'recall_app'::regrole
    union all
    select p.proname, a.privilege_type
    from pg_proc as p cross join lateral aclexplode(p.proacl) as a
    where p.pronamespace = 'tool_recall'::regnamespace and a.grantee = 'recall_app'::regrole
  $$,
  'no table, column, sequence or routine is left'
);
select lives_ok($$ select tool_recall.revoke_all('recall_app') $$, 'again it changes nothing');
set local role recall_app;
select throws_ok('select pg_temp.block()', '42501', null, 'the role is out');

select * from finish();
rollback;
