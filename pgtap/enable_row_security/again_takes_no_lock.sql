\ir ../setup.psql
select plan(6);

create function pg_temp.locks() returns text[] language sql as $$
  select array(
    select l.mode from pg_locks as l
    where l.pid = pg_backend_pid() and l.mode = 'AccessExclusiveLock'
      and l.relation = 'tool_recall.message_tool_results'::regclass
  );
$$;

select tool_recall.disable_row_security();
select is(pg_temp.locks(), '{}', 'turning off what is off takes no lock');
savepoint before_it;  -- noqa: PRS
select tool_recall.enable_row_security();
select is(pg_temp.locks(), '{AccessExclusiveLock}', 'turning it on does');
select results_eq(
  $$
    select p.polname::text collate "default", p.polcmd::text, p.polroles
    from pg_policy as p
    where p.polrelid = 'tool_recall.message_tool_results'::regclass
  $$,
  $$ values ('own_rows', '*', array[0::oid]) $$, 'with one policy, for everybody and everything'
);
select tool_recall.enable_row_security();
select is(
  (select count(*) from pg_policy), 1::bigint, 'turning it on again changes nothing'
);
alter table tool_recall.message_tool_results force row level security;
select tool_recall.enable_row_security();
select is(
  (
    select c.relforcerowsecurity from pg_class as c
    where c.oid = 'tool_recall.message_tool_results'::regclass
  ), false, 'but for FORCE, under which nothing would be trimmed'
);
alter table tool_recall.message_tool_results disable row level security;
select tool_recall.enable_row_security();
select ok(tool_recall._has_row_security(), 'and what somebody else has turned off');

select * from finish();
rollback;
