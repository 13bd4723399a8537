\ir ../setup.psql
select plan(4);
set local role recall_app;
select pg_temp.record('adas');
select pg_temp.record(
  'bobs', user_name => 'bob', conversation => 'bob chat', message => 'bob message'
);

select is(pg_temp.recalled('ada chat', 'bob'), '{}', 'another user sees nothing of a conversation');
reset role;
update conversations set user_id = pg_temp.id('bob') where id = pg_temp.id('ada chat');
set local role recall_app;
select is(
  pg_temp.recalled('ada chat', 'bob'), '{}',
  'nor the former owner''s results, where a conversation is handed over'
);
select is(
  tool_recall.recall_block(pg_temp.id('ada chat'), pg_temp.id('bob')), '', 'the block is empty then'
);
select is(pg_temp.recalled('bob chat', 'bob'), array['bobs'], 'his own he sees');

select * from finish();
rollback;
