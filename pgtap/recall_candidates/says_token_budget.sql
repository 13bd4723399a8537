\ir ../setup.psql
select plan(1);
select pg_temp.record('older', created_at => pg_temp.at(3, '10:00'));
select pg_temp.record('large', created_at => pg_temp.at(2, '10:00'));
select pg_temp.record('newest', created_at => pg_temp.at(1, '10:00'));
update tool_recall.message_tool_results set recall_tokens = 240 where tool_name = 'large';
set local role recall_app;

select results_eq(
  $$
    select tool_name, left_out
    from tool_recall._recall_candidates(
      pg_temp.id('ada chat'), pg_temp.id('ada'), statement_timestamp()
    )
  $$,
  $$ values ('newest', null), ('large', 'token_budget'), ('older', 'token_budget') $$,
  'the line that does not fit and all older are left out for the budget'
);

select * from finish();
rollback;
