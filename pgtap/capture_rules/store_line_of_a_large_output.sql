\ir ../setup.psql
select plan(1);
update tool_recall.settings set max_output_bytes = 1024;
select tool_recall.set_capture_rule('t', 'line');
select pg_temp.record('t', '{}', to_jsonb(repeat('x', 3000))) as id \gset

select is(
  (select m.repairs from tool_recall.message_tool_results as m where m.id = :'id'),
  '{"not_stored": 1}', 'nothing of it is kept as a head'
);

select * from finish();
rollback;
