\ir ../setup.psql
select plan(5);
\ir ../row_security.psql
reset role;
select tool_recall.disable_row_security();

select ok(not tool_recall._has_row_security(), 'it is off');
select is((select count(*) from pg_policy), 0::bigint, 'its policy is gone');
select lives_ok('select tool_recall.disable_row_security()', 'again there is nothing to do');
set local role recall_app;
select is(pg_temp.seen(), '{adas,bobs}', 'the chat service sees every row again');
select is(
  tool_recall.forget_user(pg_temp.id('ada')), 1::bigint, 'and forgets without the setting'
);

select * from finish();
rollback;
