\ir ../setup.psql
select plan(1);
-- Shifted by so many whole weeks that the newest snapshot is less than a week old.
select floor(extract(epoch from now() - '2026-05-12T09:02:11Z') / 604800) as weeks \gset
\ir record_snapshots.psql

select is(
  tool_recall.recall_block(pg_temp.id('ada chat'), pg_temp.id('ada')),
  replace(
    replace(
      pg_temp.golden_block(), '- 2026-05-12 ',
      to_char('2026-05-12'::date + 7 * :weeks::integer, '"- "YYYY-MM-DD" "')
    ),
    '- 2026-05-08 ', to_char('2026-05-08'::date + 7 * :weeks::integer, '"- "YYYY-MM-DD" "')
  ),
  'recall_block says the golden block, its days shifted'
);

select * from finish();
rollback;
