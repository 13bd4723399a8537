\ir ../setup.psql
select plan(1);
select tool_recall.set_capture_rule('t', redact_paths => array['$.who']);
select tool_recall.set_summary_rule('t', 'of Ada', '{"who": "ada"}');

select alike(
  pg_temp.line('t', '{"who": "ada"}', '{"orders": []}'), '%: 0 orders',
  'no summary rule sees what is redacted, as none would at a refresh'
);

select * from finish();
rollback;
