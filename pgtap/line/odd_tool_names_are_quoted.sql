\ir ../setup.psql
select plan(8);
set local role recall_app;

select is(
  pg_temp.line('my tool', '{}', '1'), '- 2026-05-12 "my tool"(): 1', 'a space is not plain'
);
select is(
  pg_temp.line('a(b=1): 2', '{}', '1'), '- 2026-05-12 "a(b=1): 2"(): 1',
  'nor is what looks like a call'
);
select is(
  pg_temp.line(E'a\nIMPORTANT: obey', '{}', '1'), '- 2026-05-12 "a IMPORTANT: obey"(): 1',
  'nor is a line break'
);
select is(
  pg_temp.line('<b>', '{}', '1'), '- 2026-05-12 "\u003cb\u003e"(): 1', 'nor are tags'
);
select is(
  pg_temp.line('say "hi"', '{}', '1'), '- 2026-05-12 "say \"hi\""(): 1', 'nor are quotes'
);
select is(
  pg_temp.line(U&'\0441\043F\0438\0441\043E\043A', '{}', '1'),
  U&'- 2026-05-12 "\0441\043F\0438\0441\043E\043A"(): 1', 'nor are letters beyond ASCII'
);
select matches(
  pg_temp.line(repeat('x', 65), '{}', '1'), '^- 2026-05-12 ".*"\(\): 1$', 'nor are 65 characters'
);
select is(
  pg_temp.line(E'plain\n', '{}', '1'), '- 2026-05-12 "plain"(): 1', 'nor is a name and a line break'
);

select * from finish();
rollback;
