\ir ../setup.psql
select plan(2);
select tool_recall.set_summary_rule('ruled', '{count($.orders[*])} of {input($.day)}');
select tool_recall.set_summary_rule('hidden', null);
set local role recall_app;

select is_empty(
  $$
    select t.tool_name, t.tool_output
    from (values
      ('list_orders', '{"orders": [1, 2]}'::jsonb), ('ruled', '{"orders": [1, 2]}'),
      ('ruled', '7'), ('a', '"some text"'), ('a', '{"total": 12.50, "note": "x"}'), ('a', 'null')
    ) as t (tool_name, tool_output)
      cross join lateral pg_temp.line(t.tool_name, '{"day": "today"}', t.tool_output) as l (line)
    where l.line is distinct from format(
      '- 2026-05-12 %s(day="today"): %s', t.tool_name,
      tool_recall.summarize_tool_result(t.tool_name, '{"day": "today"}', t.tool_output)
    )
  $$,
  'it says what a recorded line says after the colon'
);
select is(
  tool_recall.summarize_tool_result('hidden', '{}', '1'), null,
  'null for a tool that never uses a line'
);

select * from finish();
rollback;
