\ir ../setup.psql
select plan(5);
set local role recall_app;
select pg_temp.record() as recorded \gset

create function pg_temp.how_many(id uuid, user_id uuid) returns bigint language sql stable as $$
  select count(*) from tool_recall.recall_tool_result(how_many.id, how_many.user_id);
$$;

select is(pg_temp.how_many(:'recorded', pg_temp.id('ada')), 1::bigint, 'one''s own is there');
select is(pg_temp.how_many(:'recorded', pg_temp.id('bob')), 0::bigint, 'another user''s is not');
select is(pg_temp.how_many(:'recorded', null), 0::bigint, 'without a user there is none');
select is(pg_temp.how_many(null, pg_temp.id('ada')), 0::bigint, 'without an id there is none');
select is(
  pg_temp.how_many(pg_temp.id('gone'), pg_temp.id('ada')), 0::bigint,
  'of an unknown id there is none'
);

select * from finish();
rollback;
