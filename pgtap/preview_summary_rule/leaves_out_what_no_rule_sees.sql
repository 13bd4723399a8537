\ir ../setup.psql
select plan(1);
update tool_recall.settings set max_output_bytes = 1024;

select pg_temp.record('plans', '{}', '{"error": "no"}', is_error => true);
select pg_temp.record('plans', '{}', jsonb_build_object('plans', repeat('long ', 400)));

select is_empty(
  $$ select p.summary from tool_recall.preview_summary_rule('plans', 'text') as p $$,
  'failed calls and truncated results'
);

select * from finish();
rollback;
