\ir ../setup.psql
select plan(2);
set local role recall_app;
select clock_timestamp() as before \gset
select pg_temp.record(
  created_at => clock_timestamp() + interval '4 minutes 55 seconds', repairs => '{"nul": 1}'
);

select ok(
  (
    select m.created_at between :'before' and clock_timestamp()
    from tool_recall.message_tool_results as m
  ),
  'up to five minutes ahead becomes the present'
);
select is(
  (select m.repairs from tool_recall.message_tool_results as m), '{"nul": 1, "future": 1}'::jsonb,
  'and is counted as a repair'
);

select * from finish();
rollback;
