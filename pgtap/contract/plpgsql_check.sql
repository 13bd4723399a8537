\ir ../setup.psql
select plan(2);
-- The static check of every function; trigger functions are checked with their tables. What is
-- asked of pg_cron is asked only where it is, and it is not here.
select count(*) > 0 as is_there from pg_extension where extname = 'plpgsql_check' \gset

\if :is_there
select is_empty(
  $$
    select p.oid::regprocedure, c.lineno, c.level, c.message, c.detail
    from pg_proc as p
      join pg_language as l on l.oid = p.prolang and l.lanname = 'plpgsql'
      cross join lateral plpgsql_check_function_tb(
        p.oid, extra_warnings => true, security_warnings => true
      ) as c
    where p.pronamespace = 'tool_recall'::regnamespace and p.prorettype <> 'trigger'::regtype
      and c.message !~ '^(relation "cron\.job"|schema "cron") does not exist$'
  $$,
  'plpgsql_check finds nothing in any function'
);
select is_empty(
  $$
    select p.oid::regprocedure, c.lineno, c.level, c.message, c.detail
    from pg_trigger as t
      join pg_proc as p on p.oid = t.tgfoid
      cross join lateral plpgsql_check_function_tb(
        p.oid, t.tgrelid, newtable => t.tgnewtable, oldtable => t.tgoldtable,
        extra_warnings => true, security_warnings => true
      ) as c
    where p.pronamespace = 'tool_recall'::regnamespace and not t.tgisinternal
  $$,
  'nor in any trigger function'
);
\else
-- Where everything must be installed (RECALL_REQUIRE_ALL) a skip is a failure.
select skip('plpgsql_check is not installed: Debian package postgresql-NN-plpgsql-check', 2);
\endif

select * from finish();
rollback;
