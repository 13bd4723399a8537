\ir ../setup.psql
select plan(6);
set local role recall_app;
select pg_temp.record(tool_output => null) as no_output \gset
select pg_temp.record(tool_input => null) as no_input \gset
select pg_temp.record(is_error => null) as no_answer \gset
select pg_temp.record(tool_use_id => '') as empty_call_id \gset
select pg_temp.record(repairs => '{}') as no_repairs \gset
select pg_temp.record(repairs => 'null') as json_null_repairs \gset

select is(
  (select m.tool_output from tool_recall.message_tool_results as m where m.id = :'no_output'),
  'null'::jsonb, 'an output that is null is stored as JSON null'
);
select is(
  (select m.tool_input from tool_recall.message_tool_results as m where m.id = :'no_input'),
  '{}'::jsonb, 'an input that is null is no arguments'
);
select is(
  (select m.is_error from tool_recall.message_tool_results as m where m.id = :'no_answer'),
  false, 'is_error null is no error'
);
select is(
  (select m.tool_use_id from tool_recall.message_tool_results as m where m.id = :'empty_call_id'),
  null, 'an empty call id is null'
);
select is(
  (select m.repairs from tool_recall.message_tool_results as m where m.id = :'no_repairs'),
  null, 'no repairs are null'
);
select is(
  (
    select m.repairs from tool_recall.message_tool_results as m
    where m.id = :'json_null_repairs'
  ),
  null, 'and so is JSON null in their place'
);

select * from finish();
rollback;
