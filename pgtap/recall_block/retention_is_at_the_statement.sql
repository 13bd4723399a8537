\ir ../setup.psql
select plan(7);
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

select pg_temp.record(
  'a', created_at => clock_timestamp() - interval '4320 hours' + interval '1 s'
) as recorded \gset
select isnt(pg_temp.block(), '', 'a result that is about to expire is shown');
select pg_sleep(1.1);
select is(
  pg_temp.block(), '', 'a later statement of the same transaction does not show it any more'
);
select is(pg_temp.recalled(), '{}', 'nor does recall_lines');
select is_empty(
  $$ select tool_recall.recall_tool_results(pg_temp.id('ada chat'), pg_temp.id('ada')) $$,
  'nor recall_tool_results'
);
select is_empty(
  format($$ select tool_recall.recall_tool_result(%L, pg_temp.id('ada')) $$, :'recorded'),
  'nor recall_tool_result'
);

select * from finish();
rollback;
