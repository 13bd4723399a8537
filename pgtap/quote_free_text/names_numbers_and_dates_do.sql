\ir ../setup.psql
select plan(3);
update tool_recall.settings set quote_free_text = false;
select tool_recall.set_summary_rule('ruled', '{sum($.rows[*].n)} since {date:min($.rows[*].day)}');
set local role recall_app;

select matches(
  pg_temp.line(
    'list_orders', '{"page": 2, "all": true, "until": null}',
    '{"orders": [{"placed_at": "2026-05-10T10:00:00Z", "note": "secret"}, {}]}'
  ),
  '^- 2026-05-12 list_orders\(all=true, page=2, until=null\): 2 orders\M.* 2026-05-10$',
  'names, numbers and dates are shown'
);
select is(
  pg_temp.line(
    'ruled', '{}', '{"rows": [{"n": 2, "day": "2026-05-03"}, {"n": 3, "day": "2026-05-02"}]}'
  ),
  '- 2026-05-12 ruled(): 5 since 2026-05-02', 'by a rule too'
);
select matches(
  pg_temp.line('get_balance', '{}', '{"currency": "secret", "available": 1520.75}'),
  '^- 2026-05-12 get_balance\(\): .*\mavailable 1520.75\M', 'and figures beside their keys'
);

select * from finish();
rollback;
