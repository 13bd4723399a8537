\ir ../setup.psql
select plan(5);
-- What a version newly grants is told from what each kind of role has.
select tool_recall.grant_operator('recall_app');
select tool_recall.grant_reader('recall_reader');
select results_eq(
  $$ select g::text collate "default" from tool_recall._grantees('app') as g $$,
  $$ values ('recall_app') $$, 'an app role that is an operator too is still known as one'
);
select results_eq(
  $$ select g::text collate "default" from tool_recall._grantees('operator') as g $$,
  $$ values ('recall_app') $$, 'and as an operator'
);
select results_eq(
  $$ select g::text collate "default" from tool_recall._grantees('reader') as g $$,
  $$ values ('recall_reader') $$, 'a reader as a reader'
);
revoke execute on function tool_recall.recall_lines from recall_app, recall_reader;
revoke select on tool_recall.metrics from recall_app;
select tool_recall._restore_grants();
select ok(
  has_function_privilege(r.rolname, p.oid, 'execute'),
  'what was missing is granted to ' || r.rolname
)
from pg_proc as p, (values ('recall_app'), ('recall_reader')) as r (rolname)
where p.pronamespace = 'tool_recall'::regnamespace and p.proname = 'recall_lines';

select * from finish();
rollback;
