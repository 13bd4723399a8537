\ir ../setup.psql
select plan(4);
set local role recall_app;
select pg_temp.record(created_at => pg_temp.at(2, '10:00'));
select pg_temp.record(
  conversation => 'ada second chat', message => 'ada second message'
) as elsewhere \gset
select pg_temp.record(
  user_name => 'bob', conversation => 'bob chat', message => 'bob message'
) as bobs \gset

create function pg_temp.page(before uuid) returns bigint language sql stable as $$
  select count(*) from tool_recall.recall_tool_results(
    pg_temp.id('ada chat'), pg_temp.id('ada'), before => page.before
  );
$$;

select is(pg_temp.page(:'elsewhere'), 0::bigint, 'a row of another conversation is no page''s end');
select is(pg_temp.page(:'bobs'), 0::bigint, 'nor is another user''s');
select is(pg_temp.page(pg_temp.id('gone')), 0::bigint, 'nor one that is gone');
select is(pg_temp.page(null), 1::bigint, 'null is the first page');

select * from finish();
rollback;
