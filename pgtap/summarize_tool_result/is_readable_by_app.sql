\ir ../setup.psql
select plan(1);
set local role recall_app;

select is(
  tool_recall.summarize_tool_result(
    tool_name => 'find_orders', tool_input => '{}', tool_output => '{"orders": []}',
    is_error => false
  ),
  '0 orders', 'the chat service may ask for a summary, by the names of the contract'
);

select * from finish();
rollback;
