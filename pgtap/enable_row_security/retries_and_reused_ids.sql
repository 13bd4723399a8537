\ir ../setup.psql
select plan(5);
\ir ../row_security.psql

select pg_temp.act_as('ada');
select pg_temp.record(tool_use_id => 'call_1') as first \gset
select is(
  pg_temp.record(tool_use_id => 'call_1'), :'first'::uuid, 'a retry is given the first row''s id'
);
select isnt(
  pg_temp.record(tool_use_id => 'call_1', tool_output => '2'), :'first'::uuid, 'other content is '
  'not'
);
-- The row that holds the id becomes one that its new owner may not see.
reset role;
update conversations set user_id = pg_temp.id('bob') where id = pg_temp.id('ada chat');
set local role recall_app;
select pg_temp.act_as('bob');
select pg_temp.record(
  'handed_over', tool_use_id => 'call_1', user_name => 'bob'
) as handed_over \gset
select isnt(:'handed_over'::uuid, :'first', 'the id of a row that is not seen conflicts');
select is(
  (select m.repairs from tool_recall.message_tool_results as m where m.id = :'handed_over'),
  '{"id_reused": 1}', 'and the result is stored without it'
);
select is(pg_temp.seen(), '{bobs,handed_over}', 'the other''s row stays unseen');

select * from finish();
rollback;
