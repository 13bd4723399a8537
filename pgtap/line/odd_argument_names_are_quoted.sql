\ir ../setup.psql
select plan(8);
set local role recall_app;

select is(
  pg_temp.line('a', '{"user_id.v2:x/y-z": 1}', '1'), '- 2026-05-12 a(user_id.v2:x/y-z=1): 1',
  'a plain name stands bare'
);
select is(
  pg_temp.line('a', '{"user id": 1}', '1'), '- 2026-05-12 a("user id"=1): 1', 'a space is not plain'
);
select is(pg_temp.line('a', '{"": 1}', '1'), '- 2026-05-12 a(""=1): 1', 'nor is an empty name');
select is(
  pg_temp.line('a', '{"b=2, c": 1}', '1'), '- 2026-05-12 a("b=2, c"=1): 1',
  'nor is what looks like two arguments'
);
select is(
  pg_temp.line('a', '{"x\n- 2026": 1}', '1'), '- 2026-05-12 a("x - 2026"=1): 1',
  'nor is a line break'
);
select is(
  pg_temp.line('a', '{"<x>": 1}', '1'), '- 2026-05-12 a("\u003cx\u003e"=1): 1', 'nor are tags'
);
select matches(
  pg_temp.line('a', jsonb_build_object(repeat('x', 65), 1), '1'),
  '^- 2026-05-12 a\(".*"=1\): 1$', 'nor are 65 characters'
);
select is(
  pg_temp.line('a', jsonb_build_object(repeat('x', 64), 1), '1'),
  format('- 2026-05-12 a(%s=1): 1', repeat('x', 64)), '64 are'
);

select * from finish();
rollback;
