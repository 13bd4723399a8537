\ir ../setup.psql
select plan(3);
-- 62 steps and ends fit in one search: 40 paths of three need two and a half.
select tool_recall.set_capture_rule('t', redact_paths => array(
  select format('$.rows[*].key_%s', n) from generate_series(1, 40) as n
));
select pg_temp.record('t', '{}', (
  select jsonb_build_object('rows', jsonb_build_array(jsonb_object_agg('key_' || n, n)))
  from generate_series(1, 41) as n
)) as id \gset

select is(
  (select m.repairs from tool_recall.message_tool_results as m where m.id = :'id'),
  '{"redacted": 40}', 'each of 40 paths finds its value'
);
select is(
  (
    select jsonb_object_agg(k.key, k.value)
    from tool_recall.message_tool_results as m
      cross join lateral jsonb_each(m.tool_output #> '{rows,0}') as k
    where m.id = :'id' and k.value <> '"[redacted]"'
  ),
  '{"key_41": 41}', 'and nothing else is replaced'
);

select is(
  (select jsonb_array_length(r.searches) from tool_recall.capture_rules as r), 3,
  'by three searches'
);

select * from finish();
rollback;
