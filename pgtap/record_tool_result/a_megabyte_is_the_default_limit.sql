\ir ../setup.psql
select plan(2);
set local role recall_app;
select pg_temp.record(tool_output => to_jsonb(repeat('x', 1048574))) as fits \gset
select pg_temp.record(tool_output => to_jsonb(repeat('x', 1048575))) as too_large \gset

select is(
  (select m.repairs from tool_recall.message_tool_results as m where m.id = :'fits'),
  null, '1 048 576 bytes are stored whole'
);
select is(
  (
    select m.tool_output -> 'bytes' from tool_recall.message_tool_results as m
    where m.id = :'too_large'
  ),
  '1048577'::jsonb, 'one more are truncated, and their number is kept'
);

select * from finish();
rollback;
