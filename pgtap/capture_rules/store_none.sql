\ir ../setup.psql
select plan(6);
select tool_recall.set_capture_rule('t', 'none');
set local role recall_app;

select is(pg_temp.record('t', tool_use_id => 'call_1'), null, 'no id');
select results_eq(
  $$
    select r is null
    from tool_recall.record_tool_results(
      pg_temp.id('ada chat'), pg_temp.id('ada'), pg_temp.id('ada message'),
      '[{"tool_name": "a"}, {"tool_name": "t", "tool_use_id": "x"}, {"tool_name": "b"}]'
    ) as r
  $$,
  'values (false), (true), (false)', 'null in its place of a batch'
);
select lives_ok(
  $$
    insert into tool_recall.message_tool_results
      (conversation_id, user_id, message_id, tool_name, tool_input, tool_output)
    values (
      pg_temp.id('ada chat'), pg_temp.id('ada'), pg_temp.id('ada message'), 't', '{}', '{}'
    )
  $$,
  'an INSERT adds no row'
);
select results_eq(
  'select m.tool_name::text from tool_recall.message_tool_results as m order by 1',
  $$ values ('a'), ('b') $$, 'nothing of it is stored'
);
select throws_ok(
  $$ select pg_temp.record('t', user_name => 'bob') $$, 'TR001', null,
  'ownership is checked all the same'
);
select lives_ok($$ select pg_temp.record('t', tool_use_id => 'call_1') $$, 'again is no error');

select * from finish();
rollback;
