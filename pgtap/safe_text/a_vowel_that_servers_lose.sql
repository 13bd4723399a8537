\ir ../setup.psql
select plan(2);
set local role recall_app;

-- After a syllable some servers' normalize() loses U+11A7, others' keeps it.
select is(
  pg_temp.line('a', U&'{"x": "\AC00\11A7"}'::jsonb, '1'), U&'- 2026-05-12 a(x="\AC00\FFFD"): 1',
  'it is replaced on every server'
);
select is(
  pg_temp.line('a', U&'{"x": "\AC00\11A8"}'::jsonb, '1'), U&'- 2026-05-12 a(x="\AC01"): 1',
  'the letter after it is not'
);

select * from finish();
rollback;
