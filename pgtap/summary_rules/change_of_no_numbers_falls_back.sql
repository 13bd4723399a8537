\ir ../setup.psql
select plan(1);
select tool_recall.set_summary_rule('ruled', 'trend {change($.points[*])}');
set local role recall_app;

select is_empty(
  $$
    select value
    from (values
      ('{"points": []}'::jsonb), ('{"points": ["1", "2"]}'), ('{"points": [1, null]}'),
      ('{"points": [null, 1]}'), ('{"points": [{}, 2]}')
    ) as o (value)
    where tool_recall.summarize_tool_result('ruled', '{}', value) like 'trend%'
  $$,
  'a change needs a first and a last number'
);

select * from finish();
rollback;
