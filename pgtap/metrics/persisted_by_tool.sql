\ir ../setup.psql
\ir value.psql
select plan(5);
select pg_temp.record('a');
select pg_temp.record('a', tool_use_id => 'call_1');
select pg_temp.record('a', tool_use_id => 'call_1');
insert into tool_recall.message_tool_results
  (conversation_id, user_id, message_id, tool_name, tool_input, tool_output)
select
  pg_temp.id('ada chat'), pg_temp.id('ada'), pg_temp.id('ada message'), t.name, '{}', to_jsonb(n)
from (values ('a'), ('b')) as t (name) cross join generate_series(1, 10) as n;

select is(
  pg_temp.metric('tool_results_persisted_total', 'a'), 12::numeric, 'each row, not each retry'
);
select is(pg_temp.metric('tool_results_persisted_total', 'b'), 10::numeric, 'by its tool');
do $$
begin
  perform pg_temp.record('c');
  raise exception 'undone';
exception when raise_exception then
  null;
end
$$;
select is(
  pg_temp.metric('tool_results_persisted_total', 'c'), null, 'what is rolled back is not counted'
);
select tool_recall.forget_user(pg_temp.id('ada'));
select is(
  pg_temp.metric('tool_results_persisted_total', 'a'), 12::numeric, 'erasure takes nothing away'
);
select is(
  (select distinct kind from tool_recall.metrics where name = 'tool_results_persisted_total'),
  'counter', 'it is a counter'
);

select * from finish();
rollback;
