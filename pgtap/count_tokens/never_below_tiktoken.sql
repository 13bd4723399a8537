\ir ../setup.psql
select plan(17);
set local role recall_app;

-- What tiktoken counts in cl100k_base.
select cmp_ok(
  tool_recall.count_tokens(t.value), '>=', t.tokens,
  format('not below %s for %s', t.tokens, to_json(t.value))
)
from (values
  ('a', 1),
  ('hello world', 2),
  (
    '- 2026-05-12 query_site_data(target="recent_members"): '
    '8 members, last registered 2026-05-10', 29
  ),
  (
    '- 2026-05-12 query_kpi_trend(metric="active_members", granularity="week"): '
    '7-week trend, +12%', 29
  ),
  ('- 2026-05-08 query_site_data(target="memberships"): 5 plans, Starter Pack 23 active', 25),
  ('018f3f6e-7c1a-7d3b-9a52-3c1c7f2f6a11', 32),
  ('9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08', 43),
  ('3.14159265358979323846264338327950288', 14),
  (
    U&'\4F1A\54E1\306E\6700\8FD1\306E\767B\9332\72B6\6CC1\3092\78BA\8A8D\3057\3066\304F\3060'
    '\3055\3044', 21
  ),
  (U&'\+01F9FF\+01F991\+01FA81\+01F9EC', 12),
  (U&'\10D0\10D1\10D2\10D3 \10D4\10D5\10D6', 15),
  (U&'\0633\062C\0644 \0627\0644\0623\0639\0636\0627\0621', 8),
  ('xqzjkvbwp qzxj', 9),
  ('{"a": [1, 2, {"b": null}]}', 15),
  (E'   \n\n\t', 2),
  ('<|endoftext|>', 7),
  (' ', 1)
) as t (value, tokens);

select * from finish();
rollback;
