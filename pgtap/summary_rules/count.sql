\ir ../setup.psql
select plan(4);

select is(
  pg_temp.summary('{count($.orders[*])} found', '{"orders": [1, "b", null]}'), '3 found',
  'count says how many values a path finds'
);
select is(
  pg_temp.summary('{count($.orders[*])} found', '{"orders": []}'), '0 found',
  'of an empty list none'
);
select is(
  pg_temp.summary(
    '{count($.orders[*] ? (@.open == true))} open', '{"orders": [{"open": true}, {"open": false}]}'
  ),
  '1 open', 'a filter counts some'
);
select is(
  pg_temp.summary('{count($[*])} and {count($[*].n)}', '[{"n": 1}, {"n": 2}]'), '2 and 2',
  'a template may have several placeholders'
);

select * from finish();
rollback;
