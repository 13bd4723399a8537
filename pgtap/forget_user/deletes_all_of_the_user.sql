\ir ../setup.psql
select plan(4);
set local role recall_app;
select pg_temp.record();
select pg_temp.record();
select pg_temp.record(conversation => 'ada second chat', message => 'ada second message');
select pg_temp.record(
  user_name => 'bob', conversation => 'bob chat', message => 'bob message'
) as bobs \gset

select is(
  tool_recall.forget_user(user_id => pg_temp.id('ada')), 3::bigint,
  'it says how many rows there were'
);
select results_eq(
  'select id from tool_recall.message_tool_results', format('values (%L::uuid)', :'bobs'),
  'all of the user are gone, another''s are not'
);
select is(tool_recall.forget_user(pg_temp.id('ada')), 0::bigint, 'again there are none');
select lives_ok('select pg_temp.record()', 'the account stays, and so may new results');

select * from finish();
rollback;
