\ir ../setup.psql
select plan(3);
set local role recall_app;

-- With the line break, as lines are counted.
select cmp_ok(
  tool_recall.count_tokens(t.line || E'\n')::numeric, '<=', t.tokens * 2.2,
  format('at most 2.2 times %s for %s', t.tokens, t.line)
)
from (values
  (
    '- 2026-05-12 query_site_data(target="recent_members"): '
    '8 members, last registered 2026-05-10', 30
  ),
  (
    '- 2026-05-12 query_kpi_trend(metric="active_members", granularity="week"): '
    '7-week trend, +12%', 30
  ),
  ('- 2026-05-08 query_site_data(target="memberships"): 5 plans, Starter Pack 23 active', 26)
) as t (line, tokens);

select * from finish();
rollback;
