\ir ../setup.psql
select plan(4);

select results_eq(
  $$
    select p.proname::text collate "default"
    from pg_proc as p
    where p.pronamespace = 'tool_recall'::regnamespace and p.prosecdef
      and p.prorettype <> 'trigger'::regtype and not starts_with(p.proname, '_')
    order by p.proname::text collate "C"
  $$,
  $$ values ('forget_conversation'), ('forget_user') $$,
  'of the public functions only forget_* run as the installing role'
);
select results_eq(
  $$
    select p.proname::text collate "default"
    from pg_proc as p
    where p.pronamespace = 'tool_recall'::regnamespace and p.prosecdef
      and p.prorettype <> 'trigger'::regtype and starts_with(p.proname, '_')
    order by p.proname::text collate "C"
  $$,
  $$
    values
      ('_acts_as_owner'), ('_count'), ('_fold_counters'), ('_note_purge'),
      ('_purge_expired_batch'), ('_purge_over_cap_batch'), ('_scheduler')
  $$,
  'of the inner ones only counting and the batches of a purge do: recording and recall never'
);
select is_empty(
  $$
    select p.proname
    from pg_proc as p
    where p.pronamespace = 'tool_recall'::regnamespace and p.prorettype = 'trigger'::regtype
      and not p.prosecdef
  $$,
  'trigger functions run as the installing role'
);
select is_empty(
  $$
    select p.proname
    from pg_proc as p
    where p.pronamespace = 'tool_recall'::regnamespace
      and p.proowner <> (select oid from pg_roles where rolname = current_user)
  $$,
  'which owns them all'
);

select * from finish();
rollback;
