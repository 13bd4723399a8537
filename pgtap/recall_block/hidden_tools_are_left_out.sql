\ir ../setup.psql
select plan(2);
select tool_recall.set_summary_rule('heartbeat', null);
select tool_recall.set_summary_rule('search', null, '{"debug": true}');
set local role recall_app;
select pg_temp.record('search', '{"q": "a"}');
select pg_temp.record('heartbeat');
select pg_temp.record('search', '{"q": "a", "debug": true}');

select is(
  (
    select array_agg(m.tool_name || m.tool_input order by m.seq)
    from tool_recall.message_tool_results as m
  ),
  array['search{"q": "a"}', 'heartbeat{}', 'search{"q": "a", "debug": true}'],
  'results of hidden tools are stored'
);
select results_eq(
  $$
    select m.tool_input
    from tool_recall.recall_lines(pg_temp.id('ada chat'), pg_temp.id('ada')) as l
      join tool_recall.message_tool_results as m on m.id = l.id
  $$,
  $$ values ('{"q": "a"}'::jsonb) $$,
  'but have no line; a rule for some calls hides those alone'
);

select * from finish();
rollback;
