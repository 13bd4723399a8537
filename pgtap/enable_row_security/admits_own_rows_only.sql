\ir ../setup.psql
select plan(8);
\ir ../row_security.psql

create function pg_temp.insert_adas() returns void language sql as $$
  insert into tool_recall.message_tool_results (
    user_id, conversation_id, message_id, tool_name, tool_input, tool_output
  )
  values (
    pg_temp.id('ada'), pg_temp.id('ada chat'), pg_temp.id('ada message'), 'more', '{}', '1'
  );
$$;

select throws_ok('select pg_temp.record()', 'TR001', null, 'unset, nothing is recorded');
select throws_ok('select pg_temp.insert_adas()', '42501', null, 'nor inserted');
select pg_temp.act_as('bob');
select throws_ok('select pg_temp.record()', 'TR001', null, 'another user records nothing');
select throws_ok('select pg_temp.insert_adas()', '42501', null, 'nor inserts');
select throws_ok(
  $$
    select pg_temp.record(
      user_name => 'bob', conversation => 'ada chat', message => 'ada message')
  $$,
  'TR001', null, 'nor into a conversation that is not his'
);
select pg_temp.act_as('ada');
select lives_ok('select pg_temp.record()', 'the user records');
select lives_ok('select pg_temp.insert_adas()', 'and inserts');
select is(pg_temp.seen(), '{adas,list_orders,more}', 'both are there');

select * from finish();
rollback;
