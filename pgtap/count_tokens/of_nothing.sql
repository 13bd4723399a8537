\ir ../setup.psql
select plan(3);
set local role recall_app;

select is(tool_recall.count_tokens(''), 0, 'an empty text has no tokens');
select is(tool_recall.count_tokens(null), null, 'of null there is nothing to count');
select is(tool_recall.count_tokens(value => 'a'), 1, 'a letter has one');

select * from finish();
rollback;
