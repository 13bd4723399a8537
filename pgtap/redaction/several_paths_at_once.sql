\ir ../setup.psql
\ir find.psql
select plan(1);

select is(
  pg_temp.redacted(
    '{"a": [{"b": 1, "c": 2, "d": 3}], "b": 4, "x": {"c": 5}}', '$.a[*].b', '$.**.c', '$.b'
  ),
  '{"a": [{"b": "[redacted]", "c": "[redacted]", "d": 3}], "b": "[redacted]",
    "x": {"c": "[redacted]"}}',
  'each path finds its own'
);

select * from finish();
rollback;
