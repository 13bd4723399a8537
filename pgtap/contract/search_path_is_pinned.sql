\ir ../setup.psql
select plan(2);

select is_empty(
  $$
    select p.oid::regprocedure
    from pg_proc as p
    where p.pronamespace = 'tool_recall'::regnamespace and p.prokind = 'f'
      and not coalesce(p.proconfig @> array['search_path=pg_catalog, pg_temp'], false)
      and p.prosqlbody is null
  $$,
  'every function sets search_path, or is an SQL body whose names were bound when it was made'
);
select results_eq(
  $$
    select p.proname::text collate "default"
    from pg_proc as p
      cross join (
        values ('perform pg_catalog.set_config(''search_path'', ''pg_catalog, pg_temp'', true);')
      ) as s (pinned)
      cross join lateral (
        select
          btrim(split_part(p.prosrc, 'begin', 2), E' \n'),
          array(
            select btrim(c.rest, E' \n')
            from regexp_split_to_table(p.prosrc, 'commit;') as c (rest)
          )
      ) as b (body, pieces)
    where p.pronamespace = 'tool_recall'::regnamespace and p.prokind = 'p'
      and starts_with(b.body, s.pinned)
      and (select bool_and(starts_with(c.rest, s.pinned)) from unnest(b.pieces[2:]) as c (rest))
    order by p.proname::text collate "C"
  $$,
  $$ values ('erase_matching'), ('purge_expired'), ('refresh_recall_lines') $$,
  'a procedure, which commits, sets it first and after each commit'
);

select * from finish();
rollback;
