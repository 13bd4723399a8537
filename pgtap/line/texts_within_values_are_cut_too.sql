\ir ../setup.psql
select plan(3);
set local role recall_app;

select is(
  pg_temp.line('a', '{"x": ["take the customer to the annual plan, not to the monthly one"]}', '1'),
  U&'- 2026-05-12 a(x=["take the customer to the annual plan,\2026"]): 1', 'in an array'
);
select is(
  pg_temp.line(
    'a', '{"x": {"y": "take the customer to the annual plan, not to the monthly one"}}', '1'
  ),
  U&'- 2026-05-12 a(x={"y": "take the customer to the annual plan,\2026"}): 1', 'in an object'
);
select is(
  pg_temp.line('a', '"take the customer to the annual plan, not to the monthly one"', '1'),
  U&'- 2026-05-12 a("take the customer to the annual plan,\2026"): 1', 'as the whole input'
);

select * from finish();
rollback;
