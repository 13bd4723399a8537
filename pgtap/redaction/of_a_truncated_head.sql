\ir ../setup.psql
\ir find.psql
select plan(2);

select is(
  pg_temp.redacted('{"truncated": true, "bytes": 9, "head": "{\"q\": 1, \"p\": \"sec"}', '$.p'),
  '{"truncated": true, "bytes": 9, "head": "[redacted]"}',
  'the head of what a client had to cut, in which no path finds anything, goes'
);

select is(
  pg_temp.redacted('{"truncated": true, "bytes": 9, "head": "[4111, 41"}', '$[*]') -> 'head',
  '"[redacted]"', 'in whatever way it begins'
);

select * from finish();
rollback;
