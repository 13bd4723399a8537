\ir ../setup.psql
select plan(1);
set local role recall_app;

select is_empty(
  $$
    select tool_recall.record_tool_results(
      pg_temp.id('ada chat'), pg_temp.id('ada'), pg_temp.id('ada message'), '[]'
    )
  $$,
  'no results: no ids, no error'
);

select * from finish();
rollback;
