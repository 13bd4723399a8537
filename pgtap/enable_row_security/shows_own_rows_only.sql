\ir ../setup.psql
select plan(8);
\ir ../row_security.psql

select is(pg_temp.seen(), '{}', 'where the setting is unset nothing is seen');
select set_config('tool_recall.user_id', '', true);
select is(pg_temp.seen(), '{}', 'nor where it is empty');
select pg_temp.act_as('ada');
select is(pg_temp.seen(), '{adas}', 'a user''s own rows are');
select is(pg_temp.block() ~ 'adas', true, 'so is the block');
select is(
  (select count(*) from tool_recall.recall_tool_result(:'adas', pg_temp.id('ada'))), 1::bigint,
  'and a whole result'
);
select pg_temp.act_as('bob');
select is(pg_temp.seen(), '{bobs}', 'another user sees his');
select is(pg_temp.block(), '', 'and not the block of the first, even asked for by name');
select is(
  (select count(*) from tool_recall.recall_tool_result(:'adas', pg_temp.id('ada'))), 0::bigint,
  'nor the whole result'
);

select * from finish();
rollback;
