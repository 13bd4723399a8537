\ir ../setup.psql
select plan(5);
set local role recall_app;

select cmp_ok(length(s.summary), '<=', 120, format('%s: %s', s.kind, s.summary))
from (values
  ('text of signs', tool_recall.summarize_tool_result('a', '{}', to_jsonb(repeat('<b> ', 25)))),
  ('one word of signs', tool_recall.summarize_tool_result('a', '{}', to_jsonb(repeat('&', 90)))),
  ('error', tool_recall.summarize_tool_result('a', '{}', to_jsonb(repeat('a "b" & ', 12)), true)),
  ('two fields', tool_recall.summarize_tool_result(
    'a', '{}', jsonb_build_object('a', repeat('<a> ', 10), 'b', repeat('<b> ', 10)))),
  ('beyond ASCII', tool_recall.summarize_tool_result(
    'a', '{}', to_jsonb(repeat(U&'\6F22<', 50))))
) as s (kind, summary);

select * from finish();
rollback;
