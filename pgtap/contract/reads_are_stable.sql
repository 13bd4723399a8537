\ir ../setup.psql
select plan(8);

select volatility_is('tool_recall', f.name, 'stable', format('%s is stable', f.name))
from (values
  ('recall_block'), ('recall_lines'), ('recall_tool_results'), ('recall_tool_result'),
  ('summarize_tool_result'), ('erasure_report')
) as f (name);
select is(
  p.provolatile, 'v', format('%s writes, and says so', p.proname)
)
from pg_proc as p
where p.pronamespace = 'tool_recall'::regnamespace
  and p.proname in ('record_tool_result', 'record_tool_results');

select * from finish();
rollback;
