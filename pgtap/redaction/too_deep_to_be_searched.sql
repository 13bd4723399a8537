\ir ../setup.psql
\ir find.psql
select plan(3);

select ok(
  pg_temp.redacted((repeat('{"a": ', d.depth) || '{"p": "secret"}' || repeat('}', d.depth))::jsonb,
    '$.**.p')::text !~ 'secret',
  format('nothing %s levels deep gets by', d.depth)
)
from (values (60), (70), (3000)) as d (depth);

select * from finish();
rollback;
