\ir ../setup.psql
select plan(5);
select tool_recall.set_capture_rule('t', 'line');
select pg_temp.record('t', '{"q": "a"}', '{"orders": [1, 2, 3]}', 'call_1') as id \gset

select results_eq(
  format(
    'select tool_input, tool_output, repairs from tool_recall.message_tool_results where id = %L',
    :'id'
  ),
  $$
    values ('{"q": "a"}'::jsonb, '{"not_stored": true}'::jsonb, '{"not_stored": 1}'::jsonb)
  $$,
  'the input stays, of the output there is a marker'
);
select alike(pg_temp.block(), '% t(q="a"): 3 orders%', 'the line is made of the output');
select is(
  pg_temp.record('t', '{"q": "a"}', '{"orders": [1, 2, 3]}', 'call_1'), :'id'::uuid,
  'a retry gives the first row''s id'
);
select isnt(
  pg_temp.record('t', '{"q": "b"}', '{"orders": [1, 2, 3]}', 'call_1'), :'id'::uuid,
  'another call with the same id is stored'
);
select alike(pg_temp.block(), '% t(q="b"): 3 orders%t(q="a"): 3 orders%', 'both have their line');

select * from finish();
rollback;
