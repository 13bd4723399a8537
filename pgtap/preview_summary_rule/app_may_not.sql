\ir ../setup.psql
select plan(1);
set local role recall_app;

select throws_ok(
  $$ select * from tool_recall.preview_summary_rule('plans', 'text') $$, '42501', null,
  'the chat service may not, since it sees every user''s results'
);

select * from finish();
rollback;
