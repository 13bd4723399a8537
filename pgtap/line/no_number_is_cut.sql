\ir ../setup.psql
select plan(1);
set local role recall_app;

select is_empty(
  $$
    select n
    from generate_series(1, 400, 3) as n
      cross join lateral (
        values (repeat('7', n)), ('-' || repeat('7', n)), ('0.' || repeat('7', n)),
          (repeat('7', n) || '.' || repeat('7', n))
      ) as v (value)
      cross join lateral pg_temp.line(
        'a', jsonb_build_object('x', v.value::numeric), '1'
      ) as l (line)
      cross join lateral (
        select (regexp_match(l.line, 'x=([-+.0-9e]+)\): 1$'))[1] as shown
      ) as s
    where l.line !~ 'a\(\u2026\): 1$'
      and (
        s.shown is null
        or abs(s.shown::numeric - v.value::numeric) > abs(v.value::numeric) * 0.001
      )
  $$,
  'a number is shown to at least three digits and its magnitude, or not at all'
);

select * from finish();
rollback;
