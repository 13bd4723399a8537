\ir ../setup.psql
select plan(2);
set local role recall_app;

select throws_ok(
  'select tool_recall.schedule_retention()', '42501', null, 'the chat service may not schedule'
);
select throws_ok(
  'select tool_recall.unschedule_retention()', '42501', null, 'nor unschedule'
);

select * from finish();
rollback;
