\ir ../setup.psql
select plan(3);
update tool_recall.settings set max_output_bytes = 1024;
set local role recall_app;
select pg_temp.record(
  tool_use_id => 'call_1',
  tool_input => to_jsonb(repeat('y', 3000)), tool_output => to_jsonb(repeat('x', 3000))
) as first_id \gset

select is(
  pg_temp.record(
    tool_use_id => 'call_1',
    tool_input => to_jsonb(repeat('y', 3000)), tool_output => to_jsonb(repeat('x', 3000))
  ),
  :'first_id'::uuid, 'a truncated result recorded again is the same'
);
select isnt(
  pg_temp.record(
    tool_use_id => 'call_1',
    tool_input => to_jsonb(repeat('y', 3000)), tool_output => to_jsonb(repeat('x', 2999) || 'z')
  ),
  :'first_id'::uuid, 'one that differs only behind its stored head is another'
);
select is(
  (
    select m.repairs from tool_recall.message_tool_results as m
    order by m.created_at desc, m.seq desc limit 1
  ),
  '{"truncated": 2, "id_reused": 1}'::jsonb, 'and is stored without the call id'
);

select * from finish();
rollback;
