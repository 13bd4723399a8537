\ir ../setup.psql
select plan(1);
set local role recall_app;

select is(
  pg_temp.line('list_orders', '{"status": "open", "page": 2}', '{"orders": [1, 2, 3]}'),
  '- 2026-05-12 list_orders(page=2, status="open"): 3 orders',
  'a line says the day, the tool, its arguments and the summary'
);

select * from finish();
rollback;
