\ir ../setup.psql
select plan(1);
set local role recall_app;

select is(
  pg_temp.line('a', U&'{"x": "melting \+01FAE0 face"}'::jsonb, '1'),
  U&'- 2026-05-12 a(x="melting \FFFD face"): 1',
  'a character that Unicode 13 does not know is replaced on every server'
);

select * from finish();
rollback;
