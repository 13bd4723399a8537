\ir ../setup.psql
select plan(6);
-- A caller whose search_path comes first to operators that answer as he likes gains nothing.
\ir planted_operators.psql

create function pg_temp.record_for_bob() returns text language plpgsql
set search_path = planted, pg_catalog, pg_temp as $$
begin
  return pg_temp.record(user_name => 'bob');
exception when sqlstate 'TR001' then
  return 'refused';
end
$$;
create function pg_temp.record_in_the_future() returns text language plpgsql
set search_path = planted, pg_catalog, pg_temp as $$
begin
  return pg_temp.record(created_at => '2999-01-01 00:00+00');
exception when sqlstate 'TR002' then
  return 'refused';
end
$$;
create function pg_temp.block_for_bob() returns text language sql
set search_path = planted, pg_catalog, pg_temp as $$
  select tool_recall.recall_block(pg_temp.id('ada chat'), pg_temp.id('bob'));
$$;
create function pg_temp.result_for_bob(id uuid) returns bigint language sql
set search_path = planted, pg_catalog, pg_temp as $$
  select count(*) from tool_recall.recall_tool_result(id, pg_temp.id('bob'));
$$;
create function pg_temp.results_for_bob() returns bigint language sql
set search_path = planted, pg_catalog, pg_temp as $$
  select count(*) from tool_recall.recall_tool_results(pg_temp.id('ada chat'), pg_temp.id('bob'));
$$;
create function pg_temp.forget_bob() returns bigint language sql
set search_path = planted, pg_catalog, pg_temp as $$
  select tool_recall.forget_user(pg_temp.id('bob'));
$$;

set local role recall_app;
select pg_temp.record() as adas \gset

select is(pg_temp.record_for_bob(), 'refused', 'ownership is checked when recording');
select is(pg_temp.record_in_the_future(), 'refused', 'and so is the time');
select is(pg_temp.block_for_bob(), '', 'the block is of the user alone');
select is(pg_temp.results_for_bob(), 0::bigint, 'and so are the whole results');
select is(pg_temp.result_for_bob(:'adas'), 0::bigint, 'and a single one');
select is(pg_temp.forget_bob(), 0::bigint, 'forgetting a user forgets no other');

select * from finish();
rollback;
