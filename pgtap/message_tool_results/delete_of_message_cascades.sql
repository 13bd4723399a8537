\ir ../setup.psql
select plan(1);
set local role recall_app;
select pg_temp.record();
select pg_temp.record(message => 'ada later message') as other \gset
reset role;

delete from messages where id = pg_temp.id('ada message');
select results_eq(
  'select id from tool_recall.message_tool_results', format('values (%L::uuid)', :'other'),
  'a deleted message''s results go, those of the conversation''s other messages stay'
);

select * from finish();
rollback;
