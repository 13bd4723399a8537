\ir ../setup.psql
select plan(2);

select is(
  pg_temp.summary('{sum($.lines[*].amount)} due', '{"lines": [{"amount": 10}, {"amount": -2.5}]}'),
  '7.5 due', 'the sum of the values'
);
select is(
  pg_temp.summary('{sum($[*])}', '[0.1, 0.2]'), '0.3', 'exact in decimals'
);

select * from finish();
rollback;
