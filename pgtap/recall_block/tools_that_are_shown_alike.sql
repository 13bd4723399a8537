\ir ../setup.psql
select plan(2);
set local role recall_app;
select pg_temp.record(
  'the same long name of a tool that is cut after this', created_at => pg_temp.at(1, '10:00')
);
select pg_temp.record(
  'the same long name of a tool that is cut after that', created_at => pg_temp.at(1, '10:01')
);

select is(
  (select count(distinct m.recall_line) from tool_recall.message_tool_results as m), 1::bigint,
  'two long names look the same'
);
select is(
  pg_temp.recalled(),
  array[
    'the same long name of a tool that is cut after that',
    'the same long name of a tool that is cut after this'
  ],
  'they are two tools'
);

select * from finish();
rollback;
