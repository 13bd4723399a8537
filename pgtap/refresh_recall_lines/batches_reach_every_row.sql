\ir ../setup.psql
select plan(2);
select pg_temp.record_tools(10);
update tool_recall.message_tool_results set recall_line = '- stale';

create function pg_temp.refresh(batch_size integer) returns integer language plpgsql as $$
declare
  v_after uuid := '00000000-0000-0000-0000-000000000000';
begin
  for i in 1..20 loop
    v_after := tool_recall._refresh_batch(null, v_after, batch_size);
    if v_after is null then
      return i;
    end if;
  end loop;
end
$$;

select cmp_ok(
  pg_temp.refresh(3), '<=', 5, 'ten rows in threes: four batches, and one that is empty'
);
select is_empty(
  $$ select from tool_recall.message_tool_results where recall_line = '- stale' $$,
  'every line was rewritten'
);

select * from finish();
rollback;
