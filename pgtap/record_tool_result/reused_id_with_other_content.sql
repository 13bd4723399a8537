\ir ../setup.psql
select plan(7);
set local role recall_app;
select pg_temp.record('a', '{"x": 1}', '{"n": 1}', 'call_1') as first_id \gset

create function pg_temp.of(id uuid) returns jsonb language sql stable as $$
  select jsonb_build_object('call', m.tool_use_id, 'repairs', m.repairs)
  from tool_recall.message_tool_results as m
  where m.id = of.id;
$$;

select pg_temp.record('a', '{"x": 1}', '{"n": 2}', 'call_1') as other_output \gset
select pg_temp.record('a', '{"x": 2}', '{"n": 1}', 'call_1') as other_input \gset
select pg_temp.record('b', '{"x": 1}', '{"n": 1}', 'call_1') as other_tool \gset
select pg_temp.record('a', '{"x": 1}', '{"n": 1}', 'call_1', true) as other_outcome \gset
select pg_temp.record(
  'a', '{"x": 3}', '{"n": 1}', 'call_1', repairs => '{"nul": 2}'
) as repaired \gset

select is(
  pg_temp.of(:'other_output'), '{"call": null, "repairs": {"id_reused": 1}}'::jsonb,
  'another output is stored without the call id, and marked'
);
select is(
  pg_temp.of(:'other_input'), '{"call": null, "repairs": {"id_reused": 1}}'::jsonb,
  'another input too'
);
select is(
  pg_temp.of(:'other_tool'), '{"call": null, "repairs": {"id_reused": 1}}'::jsonb,
  'another tool too'
);
select is(
  pg_temp.of(:'other_outcome'), '{"call": null, "repairs": {"id_reused": 1}}'::jsonb,
  'an error in place of a result too'
);
select is(
  pg_temp.of(:'repaired'), '{"call": null, "repairs": {"nul": 2, "id_reused": 1}}'::jsonb,
  'other repairs are kept beside it'
);
select is(
  pg_temp.of(:'first_id'), '{"call": "call_1", "repairs": null}'::jsonb,
  'the first row stays as it was'
);
select is(
  (select count(*) from tool_recall.message_tool_results), 6::bigint, 'nothing was lost'
);

select * from finish();
rollback;
