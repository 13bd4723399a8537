\ir ../setup.psql
select plan(1);
set local time zone 'Asia/Tokyo';
\set weeks 0
\ir record_snapshots.psql

select is(
  pg_temp.line(
    'update_customer_brain', '{"target": "memory", "content": "Prefers annual billing"}',
    '{"status": "saved", "id": 77}'
  ),
  '- 2026-05-12 update_customer_brain(target="memory", content="Prefers annual billing"): saved',
  'the example rule of update_customer_brain says its status'
);

select * from finish();
rollback;
