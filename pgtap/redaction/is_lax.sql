\ir ../setup.psql
\ir find.psql
select plan(5);
-- As SQL/JSON is by itself.
select is(
  pg_temp.redacted('{"m": [{"e": 1}, {"e": 2}]}', '$.m.e'),
  '{"m": [{"e": "[redacted]"}, {"e": "[redacted]"}]}', 'a key is sought in each element of a list'
);
select is(
  pg_temp.redacted('{"m": {"e": 1}}', '$.m[*].e'), '{"m": {"e": "[redacted]"}}',
  'one value is a list of one'
);
select is(
  pg_temp.redacted('{"m": {"e": 1}}', '$.m[0].e'), '{"m": {"e": "[redacted]"}}', 'its first too'
);
select is(
  pg_temp.redacted('{"m": {"e": 1}}', '$.m[1].e'), '{"m": {"e": 1}}', 'it has no second'
);

select is(
  pg_temp.redacted('[5, 6]', '$.**[0]'), '["[redacted]", "[redacted]"]',
  'as each value of a list is its own first'
);

select * from finish();
rollback;
