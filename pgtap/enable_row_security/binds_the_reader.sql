\ir ../setup.psql
select plan(2);
select tool_recall.grant_reader('recall_reader');
\ir ../row_security.psql
set local role recall_reader;

select is(pg_temp.seen(), '{}', 'a reader sees nothing where the setting is unset');
select pg_temp.act_as('ada');
select is(pg_temp.seen(), '{adas}', 'and else the rows of that user');

select * from finish();
rollback;
