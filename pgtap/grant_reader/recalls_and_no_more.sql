\ir ../setup.psql
select plan(7);
select tool_recall.grant_reader('recall_reader');
select pg_temp.record();
set local role recall_reader;

select matches(pg_temp.block(), 'list_orders', 'a reader gets the block');
select is(cardinality(pg_temp.recalled()), 1, 'and its lines');
select is(
  (select count(*) from tool_recall.recall_tool_results(pg_temp.id('ada chat'), pg_temp.id('ada'))),
  1::bigint, 'and the results whole'
);
select is(
  (
    select r.tool_name::text
    from tool_recall.recall_tool_results(pg_temp.id('ada chat'), pg_temp.id('ada')) as l
      cross join tool_recall.recall_tool_result(l.id, pg_temp.id('ada')) as r
  ),
  'list_orders', 'one of them by its id'
);
select throws_ok('select pg_temp.record()', '42501', null, 'it may not record');
select throws_ok(
  $$ select tool_recall.forget_user(pg_temp.id('ada')) $$, '42501', null, 'nor forget'
);
select throws_ok('call tool_recall.purge_expired()', '42501', null, 'nor purge');

select * from finish();
rollback;
