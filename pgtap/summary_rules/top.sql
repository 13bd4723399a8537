\ir ../setup.psql
select plan(2);
select tool_recall.set_summary_rule(
  'ruled', '{plain:top($.plans[*], $.active, $.name)} has {top($.plans[*], $.active, $.active)}'
);
set local role recall_app;

select is(
  tool_recall.summarize_tool_result(
    'ruled', '{}',
    '{"plans": [{"name": "Pro", "active": 9}, {"name": "Starter Pack", "active": 23},
      {"name": "Annual", "active": 11}]}'
  ),
  'Starter Pack has 23', 'a field of the row where another field is highest'
);
select is(
  tool_recall.summarize_tool_result(
    'ruled', '{}',
    '{"plans": [{"name": "A", "active": -5}, {"name": "B", "active": -2.5}, {"name": "C"},
      {"name": "D", "active": null}]}'
  ),
  'B has -2.5', 'also below zero; rows without the field do not count'
);

select * from finish();
rollback;
