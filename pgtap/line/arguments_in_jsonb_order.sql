\ir ../setup.psql
select plan(1);
set local role recall_app;

select is(
  pg_temp.line('a', '{"to": 1, "b": 2, "from": 3, "a": 4, "B": 5}', '1'),
  '- 2026-05-12 a(B=5, a=4, b=2, to=1, from=3): 1',
  'shorter names come first, then by byte'
);

select * from finish();
rollback;
