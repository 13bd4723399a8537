\ir ../setup.psql
select plan(1);
set local role recall_app;
set local time zone 'America/Los_Angeles';
set local datestyle = 'SQL, DMY';
select tool_recall.record_tool_results(
  pg_temp.id('ada chat'), pg_temp.id('ada'), pg_temp.id('ada message'),
  '[
    {"tool_name": "a", "created_at": "2026-03-04T23:30:00Z"},
    {"tool_name": "b", "created_at": "2026-03-04T23:30:00"}
  ]'
);

select results_eq(
  'select created_at, left(recall_line, 14) from tool_recall.message_tool_results order by seq',
  $$
    values
      ('2026-03-04T23:30:00Z'::timestamptz, '- 2026-03-04 a'),
      ('2026-03-04T23:30:00Z', '- 2026-03-04 b')
  $$,
  'a time in ISO 8601 is read alike in every session, as UTC without an offset'
);

select * from finish();
rollback;
