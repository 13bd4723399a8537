\ir ../setup.psql
select plan(6);
update tool_recall.settings set max_output_bytes = 1024;
set local role recall_app;

create temporary table given as
select jsonb_build_object(
  'orders', jsonb_agg(
    jsonb_build_object('id', n, 'placed_at', '2026-05-10', 'note', 'as "agreed"\')
  )
) as value
from generate_series(1, 100) as n;
select pg_temp.record(tool_output => g.value, created_at => '2026-05-12 10:00+00') from given as g;

select is(
  (select m.tool_output - 'head' from tool_recall.message_tool_results as m),
  (
    select jsonb_build_object(
      'truncated', true,
      'bytes', octet_length(g.value::text),
      'sha256', encode(sha256(convert_to(g.value::text, 'UTF8')), 'hex')
    )
    from given as g
  ),
  'its size and hash are stored in its place'
);
select ok(
  (
    select g.value::text like replace(m.tool_output ->> 'head', '\', '\\') || '%'
    from tool_recall.message_tool_results as m cross join given as g
  ),
  'with the start of its text'
);
select cmp_ok(
  (select length(m.tool_output ->> 'head') from tool_recall.message_tool_results as m), '>', 250,
  'which is of some length'
);
select cmp_ok(
  (select octet_length(m.tool_output::text) from tool_recall.message_tool_results as m), '<=', 1024,
  'and all within the limit'
);
select is(
  (select m.repairs from tool_recall.message_tool_results as m), '{"truncated": 1}'::jsonb,
  'it is counted as a repair'
);
select matches(
  (select m.recall_line from tool_recall.message_tool_results as m),
  '^- 2026-05-12 list_orders\(\): 100 orders\M.* 2026-05-10$',
  'the summary is made from the whole'
);

select * from finish();
rollback;
