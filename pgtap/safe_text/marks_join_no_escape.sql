\ir ../setup.psql
select plan(3);
set local role recall_app;

select is(
  pg_temp.line('a', U&'{"x": "<\0301b>\0591\0308"}'::jsonb, '1'),
  U&'- 2026-05-12 a(x="\\u003c \0301b\\u003e \0591\0308"): 1',
  'a mark stays apart from the last letter of an escape before it'
);
select is(
  pg_temp.line('a', U&'{"x": "<\0301b>"}'::jsonb, '1'),
  normalize(pg_temp.line('a', U&'{"x": "<\0301b>"}'::jsonb, '1'), nfc),
  'so that a line normalized again is the same line'
);
select is(
  pg_temp.line('a', U&'{"x": "<b>\00E9 a<\0338b"}'::jsonb, '1'),
  U&'- 2026-05-12 a(x="\\u003cb\\u003e\00E9 a\226Eb"): 1', 'other signs get no space'
);

select * from finish();
rollback;
