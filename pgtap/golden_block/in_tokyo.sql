\ir ../setup.psql
select plan(1);
set local time zone 'Asia/Tokyo';
\set weeks 0
\ir record_snapshots.psql

select is(
  tool_recall._recall_block(
    pg_temp.id('ada chat'), pg_temp.id('ada'), '2026-05-20 00:00:00+00'
  ),
  pg_temp.golden_block(),
  'the golden block comes out byte for byte in Tokyo'
);

select * from finish();
rollback;
