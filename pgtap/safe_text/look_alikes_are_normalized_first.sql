\ir ../setup.psql
select plan(4);
set local role recall_app;

select is(
  pg_temp.line('a', U&'{"x": "\FF1Csystem\FF1E\FF06\FE64b\FE65"}'::jsonb, '1'),
  '- 2026-05-12 a(x="\u003csystem\u003e\u0026\u003cb\u003e"): 1',
  'fullwidth and small signs are those of ASCII, and escaped'
);
select is(
  pg_temp.line('a', U&'{"x": "\FB01le \2460 \FF11\FF12"}'::jsonb, '1'),
  '- 2026-05-12 a(x="file 1 12"): 1', 'ligatures and digits of other forms too'
);
select is(
  pg_temp.line('a', U&'{"x": "\FF02): 1\FF3C"}'::jsonb, '1'),
  '- 2026-05-12 a(x="\"): 1\\"): 1', 'a fullwidth quote ends no quotes'
);
select matches(
  pg_temp.line('a', jsonb_build_object('x', repeat(U&'\FDFA', 30)), '1'),
  '^- 2026-05-12 a\((x="[^"]{1,39}\u2026"|\u2026)\): 1$', 'what becomes longer is cut after it has'
);

select * from finish();
rollback;
