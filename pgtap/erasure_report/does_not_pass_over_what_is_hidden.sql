\ir ../setup.psql
select plan(4);
\ir ../row_security.psql

select throws_ok(
  $$ select tool_recall.erasure_report(pg_temp.id('ada')) $$, 'TR001', null,
  'under row security another user''s rows are not reported as none'
);
select pg_temp.act_as('ada');
select results_eq(
  $$ select * from tool_recall.erasure_report(pg_temp.id('ada')) $$,
  $$ values ('tool_recall.message_tool_results', 1::bigint) $$, 'one''s own are counted'
);
select throws_ok(
  $$ select tool_recall.erasure_report(pg_temp.id('bob')) $$, 'TR001', null, 'and no other''s'
);
reset role;
select results_eq(
  $$ select * from tool_recall.erasure_report(pg_temp.id('bob')) $$,
  $$ values ('tool_recall.message_tool_results', 1::bigint) $$, 'but by the owner'
);

select * from finish();
rollback;
