\ir ../setup.psql
select plan(24);

select is(
  pg_get_function_result(p.oid)::text, f.result, format('%s returns %s', f.name, f.result)
)
from (values
  ('count_tokens', 'integer'), ('drop_capture_rule', 'void'), ('drop_summary_rule', 'void'),
  ('disable_row_security', 'void'), ('enable_row_security', 'void'),
  ('erasure_report', 'TABLE(relation text, rows bigint)'), ('forget_conversation', 'bigint'),
  ('forget_user', 'bigint'), ('grant_app', 'void'), ('recall_block', 'text'),
  (
    'recall_lines', 'TABLE(id uuid, created_at timestamp with time zone, tool_name text, '
    'recall_line text, recall_tokens integer)'
  ),
  ('record_tool_result', 'uuid'), ('record_tool_results', 'SETOF uuid'),
  ('schedule_retention', 'text'), ('set_capture_rule', 'void'), ('set_summary_rule', 'void'),
  ('summarize_tool_result', 'text'),
  ('unschedule_retention', 'text'), ('version', 'text')
) as f (name, result)
  join pg_proc as p on p.proname = f.name and p.pronamespace = 'tool_recall'::regnamespace;
select ok(p.proretset, format('%s returns rows', p.proname))
from pg_proc as p
where p.pronamespace = 'tool_recall'::regnamespace
  and p.proname in ('recall_tool_results', 'recall_tool_result');
select is(p.prokind, 'p', format('%s is a procedure', p.proname))
from pg_proc as p
where p.pronamespace = 'tool_recall'::regnamespace
  and p.proname in ('erase_matching', 'purge_expired', 'refresh_recall_lines');

select * from finish();
rollback;
