\ir ../setup.psql
select plan(3);

select is(
  pg_temp.summary('{min($[*])} to {max($[*])}', '[9, 10, -2.5, 7]'), '-2.5 to 10',
  'numbers are compared as numbers'
);
select is(
  pg_temp.summary('{min($[*])} to {max($[*])}', '["pear", "Apple", "apple"]'), '"Apple" to "pear"',
  'texts by code point, whatever the locale'
);
select is(
  pg_temp.summary(
    '{date:min($[*])} to {date:max($[*])}', '["2026-05-09T22:40:00Z", "2026-05-10", "2026-04-30"]'
  ),
  '2026-04-30 to 2026-05-10', 'and so are dates'
);

select * from finish();
rollback;
