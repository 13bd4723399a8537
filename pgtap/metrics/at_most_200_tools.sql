\ir ../setup.psql
\ir value.psql
select plan(4);
insert into tool_recall.message_tool_results
  (conversation_id, user_id, message_id, tool_name, tool_input, tool_output)
select
  pg_temp.id('ada chat'), pg_temp.id('ada'), pg_temp.id('ada message'), 'tool_' || n, '{}', '1'
from generate_series(1, 198) as n;
select pg_temp.record('other');
select pg_temp.record_tools(210);
select pg_temp.record('tool_205');

select is(
  (select count(*) from tool_recall.metrics where name = 'tool_results_persisted_total'),
  200::bigint, '200 labels, one of them other'
);
select is(
  (select sum(value) from tool_recall.metrics where name = 'tool_results_persisted_total'),
  410::numeric, 'none of the results is lost'
);
select is(
  pg_temp.metric('tool_results_persisted_total', 'other'), 13::numeric,
  'what is beyond is with the tool of that name'
);
select is(
  pg_temp.metric('tool_results_persisted_total', 'tool_1'), 2::numeric, 'those before are their own'
);

select * from finish();
rollback;
