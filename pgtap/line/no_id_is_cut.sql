\ir ../setup.psql
select plan(7);
set local role recall_app;

create function pg_temp.shown(value text) returns text language sql as $$
  select (regexp_match(
    pg_temp.line('a', jsonb_build_object('x', shown.value), '1'), '^- 2026-05-12 a\(x=(.*)\): 1$'
  ))[1];
$$;

select is(
  pg_temp.shown('018f3f6e-7c1a-7d3b-9a52-3c1c7f2f6a11'), '"018f3f6e-7c1a-7d3b-9a52-3c1c7f2f6a11"',
  'a uuid fits'
);
select is(
  pg_temp.shown('9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'),
  U&'"\2026"', 'a hash does not, and is no beginning of one either'
);
select is(
  pg_temp.shown('sk_live_51NZ7aKJd93kdLpQw82mxVbTnYc73hGfRe40'), U&'"\2026"', 'nor is a key'
);
select is(
  pg_temp.shown('order ab-cd-ef-gh-ij-kl-mn-op-qr-st-uv-wx-yz-ab-cd of May'), U&'"order\2026"',
  'an id that the cut would divide goes whole'
);
select is(
  pg_temp.shown(U&'\8A02\55AEab-cd-ef-gh-ij-kl-mn-op-qr-st-uv-wx-yz-ab-cd'),
  U&'"\8A02\55AE\2026"', 'also where no space is before it'
);
select is_empty(
  $$
    select n
    from generate_series(0, 80) as n
      cross join lateral pg_temp.shown(
        left(repeat('some words ', 10), n) || ' 9f86d081884c7d65 and more of it than is shown here'
      ) as s (shown)
    where s.shown ~ '[0-9]' and s.shown !~ '\m9f86d081884c7d65\M'
  $$,
  'wherever it stands it is shown whole or not at all'
);
select is_empty(
  $$
    select n
    from generate_series(1, 4200, 7) as n
      cross join lateral pg_temp.shown(
        'id' || repeat(' ', n) || repeat(U&'\200B', n % 5) || '9f86d081884c7d65'
        || repeat('9f86d081', 2) || ' and more of it'
      ) as s (shown)
    where s.shown ~ '[0-9]' and s.shown !~ '\m9f86d081884c7d659f86d0819f86d081\M'
  $$,
  'also behind space that is not shown'
);

select * from finish();
rollback;
