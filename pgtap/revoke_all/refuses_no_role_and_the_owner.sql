\ir ../setup.psql
select plan(4);
select throws_like(
  $$ select tool_recall.revoke_all(null) $$, 'role names no role', 'null is no role'
);
select throws_ok($$ select tool_recall.revoke_all('-') $$, '22023', null, 'nor is nobody');
select throws_ok(
  $$ select tool_recall.revoke_all('nobody') $$, '42704', null, 'nor one that does not exist'
);
select throws_like(
  format('select tool_recall.revoke_all(%L)', current_user), '%owns the schema%',
  'the owner, who may everything, is refused'
);

select * from finish();
rollback;
