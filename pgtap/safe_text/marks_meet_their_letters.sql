\ir ../setup.psql
select plan(3);
set local role recall_app;

select is(
  pg_temp.line('a', U&'{"x": "caf\0065\200B\0301"}'::jsonb, '1'),
  U&'- 2026-05-12 a(x="caf\00E9"): 1', 'a mark parted from its letter joins it'
);
select is(
  pg_temp.line('a', U&'{"x": "\1112\200B\1161\2060\11AB"}'::jsonb, '1'),
  U&'- 2026-05-12 a(x="\D55C"): 1', 'so do parts of a Korean syllable'
);
select ok(
  tool_recall.summarize_tool_result('a', '{}', to_jsonb(U&'o\00AD\0308 u\FE0F\0304\0308'::text))
    is nfkc normalized,
  'what is shown is normalized'
);

select * from finish();
rollback;
