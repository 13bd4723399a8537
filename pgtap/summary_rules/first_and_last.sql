\ir ../setup.psql
select plan(4);

select is(
  pg_temp.summary('from {first($.points[*].n)} to {last($.points[*].n)}',
    '{"points": [{"n": 5}, {"n": 9}, {"n": 7}]}'),
  'from 5 to 7', 'the first and the last value of a path'
);
select is(
  pg_temp.summary('{first($.name)}', '{"name": "Starter Pack"}'), '"Starter Pack"',
  'a text in quotes'
);
select is(pg_temp.summary('{first($.open)}', '{"open": true}'), 'true', 'a boolean as it is');
select is(
  pg_temp.summary('{last($.price)}', '{"price": 19.90}'), '19.90', 'a number with its digits'
);

select * from finish();
rollback;
