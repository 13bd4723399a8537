\ir ../setup.psql
select plan(5);
set local role recall_app;

create function pg_temp.shown(value text) returns text language sql as $$
  select (regexp_match(
    pg_temp.line('a', jsonb_build_object('x', shown.value), '1'), '^- 2026-05-12 a\(x=(.*)\): 1$'
  ))[1];
$$;

select is(
  pg_temp.shown('forty characters are shown as they arrive'::varchar(40)),
  '"forty characters are shown as they arriv"', '40 characters are shown whole'
);
select is_empty(
  $$
    select n
    from generate_series(41, 120) as n
      cross join lateral pg_temp.shown(left(repeat('seven letters or so ', 10), n)) as s (shown)
    where length(s.shown) > 42 or s.shown !~ '^"seven letters .*\u2026"$'
      or not starts_with(
        repeat('seven letters or so ', 10), substr(s.shown, 2, length(s.shown) - 3)
      )
  $$,
  'longer ones are a beginning and an ellipsis, of at most 40 characters between the quotes'
);
select is(
  pg_temp.shown('take the customer to the annual plan, not to the monthly one'),
  U&'"take the customer to the annual plan,\2026"', 'no word is cut'
);
select is(
  pg_temp.shown(repeat(U&'\65E5\672C', 30)), '"' || repeat(U&'\65E5\672C', 19) || U&'\65E5\2026"',
  'a script without spaces is cut at the character'
);
select is(
  pg_temp.shown(repeat('"', 40)), '"' || repeat('\"', 40) || '"', 'escapes count as one character'
);

select * from finish();
rollback;
