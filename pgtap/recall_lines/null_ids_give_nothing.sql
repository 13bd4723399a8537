\ir ../setup.psql
select plan(3);
set local role recall_app;
select pg_temp.record();

select is_empty(
  $$ select tool_recall.recall_lines(null, pg_temp.id('ada')) $$, 'no conversation: no lines'
);
select is_empty(
  $$ select tool_recall.recall_lines(pg_temp.id('ada chat'), null) $$, 'no user: no lines'
);
select is_empty($$ select tool_recall.recall_lines(null, null) $$, 'neither: no lines');

select * from finish();
rollback;
