\ir ../setup.psql
select plan(2);
set local role recall_app;
select pg_temp.record('a', created_at => '2026-01-01 00:00+00');

select isnt(
  tool_recall._recall_block(
    pg_temp.id('ada chat'), pg_temp.id('ada'),
    '2026-01-01 00:00+00'::timestamptz + interval '4320 hours' - interval '1 microsecond'
  ),
  '', 'shown up to the end of its 180 days'
);
select is(
  tool_recall._recall_block(
    pg_temp.id('ada chat'), pg_temp.id('ada'),
    '2026-01-01 00:00+00'::timestamptz + interval '4320 hours' + interval '1 microsecond'
  ),
  '', 'and not after'
);

select * from finish();
rollback;
