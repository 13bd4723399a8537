\ir ../setup.psql
select plan(1);
select tool_recall.set_summary_rule('hidden', null);
set local role recall_app;
select pg_temp.record(
  'a', '{"x": 1}', '{"n": [1, {"deep": null}]}', 'call_1', created_at => pg_temp.at(2, '10:00'),
  repairs => '{"nul": 1}'
);
select pg_temp.record('a', '{"x": 1}', '2', created_at => pg_temp.at(2, '11:00'));
select pg_temp.record(
  'b', '{}', '"down"', is_error => true, created_at => pg_temp.at(1, '10:00'),
  message => 'ada later message'
);
select pg_temp.record('hidden', '{}', '3', created_at => pg_temp.at(1, '11:00'));

select results_eq(
  $$
    select
      created_at, message_id, tool_use_id, tool_name, tool_input, tool_output, is_error, repairs
    from tool_recall.recall_tool_results(pg_temp.id('ada chat'), pg_temp.id('ada'))
  $$,
  $$
    values
      (
        pg_temp.at(1, '11:00'), pg_temp.id('ada message'), null::text, 'hidden', '{}'::jsonb,
        '3'::jsonb, false, null::jsonb
      ),
      (
        pg_temp.at(1, '10:00'), pg_temp.id('ada later message'), null, 'b', '{}',
        '"down"', true, null
      ),
      (pg_temp.at(2, '11:00'), pg_temp.id('ada message'), null, 'a', '{"x": 1}', '2', false, null),
      (
        pg_temp.at(2, '10:00'), pg_temp.id('ada message'), 'call_1', 'a', '{"x": 1}',
        '{"n": [1, {"deep": null}]}', false, '{"nul": 1}'
      )
  $$,
  'whole results, errors, hidden and repeated ones included'
);

select * from finish();
rollback;
