\ir ../setup.psql
select plan(1);
set local role recall_app;
select pg_temp.record('a', tool_output => '1');
select pg_temp.record('b', tool_output => '2');
select pg_temp.record('a', tool_output => '3') as page_end \gset
select pg_temp.record('a', tool_output => '4');

select results_eq(
  format(
    $$
      select tool_output
      from tool_recall.recall_tool_results(
        pg_temp.id('ada chat'), pg_temp.id('ada'), 'a', before => %L
      )
    $$, :'page_end'
  ),
  $$ values ('1'::jsonb) $$, 'the next page of one tool'
);

select * from finish();
rollback;
