\ir ../setup.psql
select plan(7);
\ir erase.psql
select pg_temp.record('a', '{}', '{"member": 1042, "count": 10421}') as number \gset
select pg_temp.record(
  'b', '{}', $$[{"type": "text", "text": "{\"name\": \"Jos\\u00e9 \\\"Pepe\\\"\", \"n\": 1}"}]$$
) as blocks \gset
select pg_temp.record(
  'c', '{}', $$"{\"name\": \"hidden\", \"name\": \"shown\"}"$$
) as twice \gset
select pg_temp.record('d', '{}', $$"{\"name\": \"hidden\", \"cut"$$) as cut \gset
select pg_temp.record('d', '{}', $$"{\"name\": \"other\", \"cut"$$) as uncut \gset

select is(pg_temp.erase('a', '$.member', '1042'), '{1,1}', 'a number is found by its text');
select is(
  (pg_temp.row_of(:'number')).tool_output, '{"member": "[redacted]", "count": 10421}', 'a whole one'
);
select is(
  pg_temp.erase('b', '$.name', U&'Jos\00e9 "Pepe"'), '{1,0}', 'JSON in a text is searched'
);
select is(
  (pg_temp.row_of(:'blocks')).tool_output,
  $$[{"type": "text", "text": "{\"n\": 1, \"name\": \"[redacted]\"}"}]$$, 'and kept'
);
select is(
  pg_temp.erase('c', '$.name', 'hidden'), '{1,0}', 'the first of two values of a key is not missed'
);
select is(
  pg_temp.erase('d', '$.name', 'hidden'), '{1,0}', 'JSON that was cut goes whole where it may '
  'hold it'
);
select is(
  (pg_temp.row_of(:'uncut')).tool_output, $$"{\"name\": \"other\", \"cut"$$, 'and else stays'
);

select * from finish();
rollback;
