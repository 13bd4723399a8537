\ir ../setup.psql
select plan(2);
\ir ../row_security.psql
select pg_temp.act_as('ada');
set local enable_seqscan = off;

create function pg_temp.plan_of(query text) returns text language plpgsql as $$
declare
  v_plan text := '';
  v_line text;
begin
  for v_line in execute 'explain (costs off) ' || query loop
    v_plan := v_plan || v_line || E'\n';
  end loop;
  return v_plan;
end
$$;

select matches(
  pg_temp.plan_of('select from tool_recall.message_tool_results'),
  -- From version 17 on: (InitPlan 1).col1; before: $0.
  'Index Cond: \(user_id = (\$|\(InitPlan)', 'the policy alone seeks its user in the index'
);
select matches(
  pg_temp.plan_of(format(
    'select from tool_recall.message_tool_results where conversation_id = %L and user_id = %L '
    'order by created_at desc, seq desc limit 5', pg_temp.id('ada chat'), pg_temp.id('ada'))),
  'Scan Backward using ix_message_tool_results_conversation_recency',
  'recall reads what it reads without row security'
);

select * from finish();
rollback;
