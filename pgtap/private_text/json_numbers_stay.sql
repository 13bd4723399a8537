\ir ../setup.psql
select plan(2);
set local role recall_app;

select is(
  pg_temp.line('a_tool', '{"since": 1775044800, "n": 4111111111111111}', '{"amount": 14155550123}'),
  '- 2026-05-12 a_tool(n=4111111111111111, since=1775044800): amount 14155550123',
  'a JSON number is never masked'
);
select is(
  pg_temp.line('a_tool', '{"n": "4111111111111111"}', '"14155550123"'),
  U&'- 2026-05-12 a_tool(n="\2026"): "\2026"',
  'the same digits as a text are'
);

select * from finish();
rollback;
