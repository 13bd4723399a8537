\ir ../setup.psql
select plan(12);
select pg_temp.record(tool_use_id => 'call_1');

create function pg_temp.try_to_set(assignment text) returns text language plpgsql as $$
begin
  execute 'update tool_recall.message_tool_results set ' || assignment;
  return 'updated';
exception when others then
  return sqlstate;
end
$$;

select is(
  pg_temp.try_to_set('id = gen_random_uuid()'), 'TR002', 'id is immutable'
);
select is(
  pg_temp.try_to_set($$user_id = pg_temp.id('bob')$$), 'TR002', 'user_id is immutable'
);
select is(
  pg_temp.try_to_set($$message_id = pg_temp.id('ada later message')$$), 'TR002',
  'message_id is immutable'
);
select is(
  pg_temp.try_to_set($$conversation_id = pg_temp.id('ada second chat')$$), 'TR002',
  'conversation_id is immutable'
);
select is(pg_temp.try_to_set($$tool_name = 'other'$$), 'TR002', 'tool_name is immutable');
select is(pg_temp.try_to_set($$tool_input = '{"a": 1}'$$), 'TR002', 'tool_input is immutable');
select is(pg_temp.try_to_set($$tool_output = '{"a": 1}'$$), 'TR002', 'tool_output is immutable');
select is(
  pg_temp.try_to_set($$created_at = created_at - interval '1 microsecond'$$), 'TR002',
  'created_at is immutable'
);
select is(pg_temp.try_to_set($$tool_use_id = null$$), 'TR002', 'tool_use_id is immutable');
select is(pg_temp.try_to_set($$is_error = true$$), 'TR002', 'is_error is immutable');
select is(pg_temp.try_to_set($$repairs = '{"nul": 1}'$$), 'TR002', 'repairs is immutable');
select isnt(pg_temp.try_to_set('seq = default'), 'updated', 'seq is immutable');

select * from finish();
rollback;
