\ir ../setup.psql
select plan(1);
set local role recall_app;
select pg_temp.record();
select pg_temp.record(
  user_name => 'bob', conversation => 'bob chat', message => 'bob message'
) as bobs \gset
reset role;

delete from users where id = pg_temp.id('ada');
select results_eq(
  'select id from tool_recall.message_tool_results', format('values (%L::uuid)', :'bobs'),
  'a deleted user''s results go, another''s stay'
);

select * from finish();
rollback;
