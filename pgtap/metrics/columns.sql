\ir ../setup.psql
select plan(1);

select results_eq(
  $$
    select a.attname::text collate "default", format_type(a.atttypid, a.atttypmod)
    from pg_attribute as a
    where a.attrelid = 'tool_recall.metrics'::regclass and a.attnum > 0
    order by a.attnum
  $$,
  $$ values ('name', 'text'), ('labels', 'jsonb'), ('kind', 'text'), ('value', 'numeric') $$,
  'name, labels, kind and value'
);

select * from finish();
rollback;
