\ir ../setup.psql
select plan(7);
set local role recall_app;

select is(
  tool_recall.recall_block(pg_temp.id('ada chat'), pg_temp.id('ada')), '',
  'a conversation without results has an empty block, not null'
);
select pg_temp.record();
select isnt(
  tool_recall.recall_block(pg_temp.id('ada chat'), pg_temp.id('ada')), '',
  'one with a result has not'
);
select is(tool_recall.recall_block(null, pg_temp.id('ada')), '', 'no conversation is none');
select is(tool_recall.recall_block(pg_temp.id('ada chat'), null), '', 'no user is none');
select is(tool_recall.recall_block(null, null), '', 'nothing at all is none');
select is(
  tool_recall.recall_block(pg_temp.id('no chat'), pg_temp.id('ada')), '',
  'an unknown conversation is none'
);
select is(
  tool_recall.recall_block(pg_temp.id('ada chat'), pg_temp.id('nobody')), '',
  'an unknown user is none'
);

select * from finish();
rollback;
