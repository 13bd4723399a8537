\ir ../setup.psql
select plan(4);
\ir ../row_security.psql
reset role;
update tool_recall.settings set conversation_cap = 2;
set local role recall_app;

select pg_temp.act_as('ada');
select pg_temp.record_tools(3);
select is(cardinality(pg_temp.seen()), 2, 'the cap is kept');
select pg_temp.act_as('');
reset role;
select is(tool_recall._purge_expired_batch(10), 0::bigint, 'a purge runs');
update tool_recall.settings set conversation_cap = 1;
select is(tool_recall._purge_over_cap_batch(10), 1::bigint, 'and sees every row');
delete from users where id = pg_temp.id('ada');
select is(pg_temp.seen(), '{bobs}', 'a deleted user''s rows go, whatever the setting');

select * from finish();
rollback;
