\ir ../setup.psql
select plan(10);
\ir ../row_security.psql

select throws_ok(
  $$ select tool_recall.forget_user(pg_temp.id('ada')) $$, 'TR001', null,
  'unset, no user is forgotten'
);
select throws_ok(
  $$ select tool_recall.forget_conversation(pg_temp.id('ada chat')) $$, 'TR001', null,
  'nor a conversation'
);
select pg_temp.act_as('bob');
select throws_ok(
  $$ select tool_recall.forget_user(pg_temp.id('ada')) $$, 'TR001', null,
  'another user is not forgotten, which is no success'
);
select is(
  tool_recall.forget_conversation(pg_temp.id('ada chat')), 0::bigint,
  'in another''s conversation there is nothing of his to forget'
);
reset role;
select is(pg_temp.seen(), '{adas,bobs}', 'all is still there');
select pg_temp.act_as('');
select throws_ok(
  $$ select tool_recall.forget_user(pg_temp.id('ada')) $$, 'TR001', null,
  'it holds for the owner as well'
);
set local role recall_app;
select pg_temp.act_as('ada');
select is(tool_recall.forget_user(pg_temp.id('ada')), 1::bigint, 'a user forgets his own');
select is(pg_temp.seen(), '{}', 'all of it');
select pg_temp.act_as('bob');
select is(
  tool_recall.forget_conversation(pg_temp.id('bob chat')), 1::bigint, 'and a conversation of his'
);
reset role;
select is(pg_temp.seen(), '{}', 'nothing is left of either');

select * from finish();
rollback;
