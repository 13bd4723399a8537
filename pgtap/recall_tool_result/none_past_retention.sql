\ir ../setup.psql
select plan(2);
set local role recall_app;
select pg_temp.record(
  created_at => now() - interval '4320 hours' + interval '1 minute'
) as kept \gset
select pg_temp.record(
  created_at => now() - interval '4320 hours' - interval '1 minute'
) as expired \gset

select isnt_empty(
  format('select tool_recall.recall_tool_result(%L, pg_temp.id(%L))', :'kept', 'ada'),
  'within retention it is there'
);
select is_empty(
  format('select tool_recall.recall_tool_result(%L, pg_temp.id(%L))', :'expired', 'ada'),
  'past retention it is not, though no purge has run'
);

select * from finish();
rollback;
