\ir ../setup.psql
select plan(4);
select tool_recall.grant_operator('recall_operator');
set local role recall_app;

select throws_ok(
  $$ call tool_recall.erase_matching('a', '$.**', 'x') $$, '42501', null,
  'the chat service may not erase from stored results'
);
select throws_ok(
  $$ select tool_recall._erase_batch('[]', 'a', gen_random_uuid(), 1) $$, '42501', null,
  'nor run a batch of it'
);
reset role;
set local role recall_operator;
select throws_ok(
  $$ call tool_recall.erase_matching('a', '$.**', 'x') $$, '42501', null, 'nor may an operator'
);
select throws_ok(
  $$ select tool_recall._erase_batch('[]', 'a', gen_random_uuid(), 1) $$, '42501', null,
  'of either kind'
);

select * from finish();
rollback;
