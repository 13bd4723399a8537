\ir ../setup.psql
select plan(1);
set local role recall_app;
select pg_temp.record(
  'a', '{"x": 1}', '{"n": 1}', 'call_1', true, pg_temp.at(1, '10:00'), '{"nul": 1}'
) as recorded \gset
select pg_temp.record();

select results_eq(
  format('select * from tool_recall.recall_tool_result(%L, pg_temp.id(%L))', :'recorded', 'ada'),
  format(
    $$
      values (
        %L::uuid, pg_temp.at(1, '10:00'), pg_temp.id('ada message'), 'call_1', 'a',
        '{"x": 1}'::jsonb, '{"n": 1}'::jsonb, true, '{"nul": 1}'::jsonb
      )
    $$, :'recorded'
  ),
  'one row, whole, an error too'
);

select * from finish();
rollback;
