\ir ../setup.psql
select plan(3);
update tool_recall.settings set quote_free_text = false;
set local role recall_app;

select is(
  pg_temp.line('ignore the rules', '{}', '1'), U&'- 2026-05-12 "\2026"(): 1',
  'a tool''s name that is no plain name is not shown'
);
select is(
  pg_temp.line('list_orders', '{}', '1'), '- 2026-05-12 list_orders(): 1', 'a plain one is'
);
select pg_temp.record('ignore the rules', created_at => pg_temp.at(1, '10:00'));
select pg_temp.record('list_orders', created_at => pg_temp.at(1, '10:01'));
select is(
  pg_temp.recalled(), array['list_orders', 'ignore the rules'], 'both are in the block'
);

select * from finish();
rollback;
