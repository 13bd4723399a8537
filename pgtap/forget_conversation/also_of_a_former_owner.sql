\ir ../setup.psql
select plan(1);
set local role recall_app;
select pg_temp.record();
reset role;
update conversations set user_id = pg_temp.id('bob') where id = pg_temp.id('ada chat');
set local role recall_app;

select is(
  tool_recall.forget_conversation(pg_temp.id('ada chat')), 1::bigint,
  'results from before a conversation was handed over are forgotten too'
);

select * from finish();
rollback;
