\ir ../setup.psql
select plan(6);
set local role recall_app;
select pg_temp.record();
select pg_temp.record(conversation => 'ada second chat', message => 'ada second message');
select pg_temp.record(user_name => 'bob', conversation => 'bob chat', message => 'bob message');

create function pg_temp.held(user_name text) returns bigint language sql stable as $$
  select sum(r.rows)::bigint from tool_recall.erasure_report(user_id => pg_temp.id(user_name)) as r;
$$;

select results_eq(
  $$ select * from tool_recall.erasure_report(pg_temp.id('ada')) $$,
  $$ values ('tool_recall.message_tool_results', 2::bigint) $$, 'a row for each table'
);
select tool_recall.forget_user(pg_temp.id('ada'));
select results_eq(
  $$ select * from tool_recall.erasure_report(pg_temp.id('ada')) $$,
  $$ values ('tool_recall.message_tool_results', 0::bigint) $$, 'which says 0 of who is forgotten'
);
select is(pg_temp.held('bob'), 1::bigint, 'and what there is of another');
reset role;
delete from users where id = pg_temp.id('bob');
set local role recall_app;
select is(pg_temp.held('bob'), 0::bigint, 'and 0 of who is deleted');
select is_empty('select tool_recall.erasure_report(null)', 'null is nobody');
select is(pg_temp.held('nobody'), 0::bigint, 'of who never was there is nothing');

select * from finish();
rollback;
