\ir ../setup.psql
\ir find.psql
select plan(4);

select ok(
  pg_temp.redacted((repeat('{"a": ', d.depth) || '{"p": "secret"}' || repeat('}', d.depth))::jsonb,
    '$.**.p')::text !~ 'secret',
  format('nothing %s levels deep gets by', d.depth)
)
from (values (60), (70), (3000)) as d (depth);

select is(
  pg_temp.redacted(
    ('{"q": 1, "deep": ' || repeat('[', 3000) || repeat(']', 3000) || '}')::jsonb, '$.**.p'
  ) -> 'q',
  '1', 'what is less deep stays'
);

select * from finish();
rollback;
