\ir ../setup.psql
select plan(1);
set local role recall_app;
select pg_temp.record();
select pg_temp.record(
  conversation => 'ada second chat', message => 'ada second message'
) as other \gset
reset role;

delete from conversations where id = pg_temp.id('ada chat');
select results_eq(
  'select id from tool_recall.message_tool_results', format('values (%L::uuid)', :'other'),
  'a deleted conversation''s results go, the user''s others stay'
);

select * from finish();
rollback;
