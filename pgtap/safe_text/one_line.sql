\ir ../setup.psql
select plan(2);
set local role recall_app;

select is(
  pg_temp.line('a', '{"x": "b\nc\r\nd\te\u2028f\u2029g\u0085h\u000bi\u000cj"}', '1'),
  '- 2026-05-12 a(x="b c d e f g h i j"): 1', 'an argument has no line break of any kind'
);
select is(
  pg_temp.line('a', '{}', '"b\nc\r\nd\te\u2028f\u2029g\u0085h\u000bi\u000cj"'),
  '- 2026-05-12 a(): "b c d e f g h i j"', 'nor has a text'
);

select * from finish();
rollback;
