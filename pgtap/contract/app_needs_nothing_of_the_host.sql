\ir ../setup.psql
select plan(4);
set local role recall_app;

select throws_ok(
  'select from users', '42501', null, 'a role that may not read the host''s tables'
);
select lives_ok('select pg_temp.record()', 'records all the same');
select isnt(pg_temp.block(), '', 'recalls');
select is(tool_recall.forget_user(pg_temp.id('ada')), 1::bigint, 'and forgets');

select * from finish();
rollback;
