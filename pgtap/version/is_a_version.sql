\ir ../setup.psql
select plan(1);
set local role recall_app;

select matches(
  tool_recall.version(), '^\d+\.\d+\.\d+(\.dev\d+|a\d+|b\d+|rc\d+)?$',
  'version says which release is installed'
);

select * from finish();
rollback;
