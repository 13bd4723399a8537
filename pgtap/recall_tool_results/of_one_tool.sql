\ir ../setup.psql
select plan(2);
set local role recall_app;
select pg_temp.record('a', tool_output => '1');
select pg_temp.record('b', tool_output => '2');
select pg_temp.record('a', tool_output => '3');
select pg_temp.record('ab', tool_output => '4');

select results_eq(
  $$
    select tool_name, tool_output
    from tool_recall.recall_tool_results(
      pg_temp.id('ada chat'), pg_temp.id('ada'), tool_name => 'a'
    )
  $$,
  $$ values ('a', '3'::jsonb), ('a', '1') $$,
  'only the tool of exactly that name'
);
select is_empty(
  $$
    select tool_recall.recall_tool_results(
      pg_temp.id('ada chat'), pg_temp.id('ada'), tool_name => 'c'
    )
  $$,
  'none of one that was not called'
);

select * from finish();
rollback;
