\ir ../setup.psql
select plan(1);
set local role recall_app;
select pg_temp.record('a', jsonb_build_object('q', q.value), to_jsonb(q.value))
from (values
  ('plain words'), (U&'\65E5\672C\8A9E'), (U&'\+01F9FF'), ('9f86d081884c7d65')
) as q (value);
select pg_temp.record('failed', is_error => true);

select is_empty(
  $$
    select recall_line from tool_recall.message_tool_results
    where recall_tokens <> tool_recall.count_tokens(recall_line || E'\n')
  $$,
  'each stored count is that of the line and its line break'
);

select * from finish();
rollback;
