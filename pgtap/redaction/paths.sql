\ir ../setup.psql
\ir find.psql
select plan(14);

select is(pg_temp.redacted(p.value::jsonb, p.path), p.expected::jsonb, p.path)
from (values
  ('{"a": {"b": 1}, "b": 2}', '$.a.b', '{"a": {"b": "[redacted]"}, "b": 2}'),
  ('{"a": {"b": 1}}', '$.a', '{"a": "[redacted]"}'),
  ('{"a b": 1, "c": 2}', '$."a b"', '{"a b": "[redacted]", "c": 2}'),
  ('{"a\"b": 1, "c": 2}', '$."a\"b"', '{"a\"b": "[redacted]", "c": 2}'),
  ('{"a": [1, {"b": 2}]}', '$.a[*]', '{"a": ["[redacted]", "[redacted]"]}'),
  ('{"a": [1, 2, 3]}', '$.a[1]', '{"a": [1, "[redacted]", 3]}'),
  ('{"a": {"b": 1, "c": [2]}}', '$.a.*', '{"a": {"b": "[redacted]", "c": "[redacted]"}}'),
  (
    '{"m": [{"e": 1, "n": 2}, {"n": 3}, {"e": null}]}', '$.m[*].e',
    '{"m": [{"e": "[redacted]", "n": 2}, {"n": 3}, {"e": "[redacted]"}]}'
  ),
  (
    '{"p": 1, "a": [{"p": {"p": 2}}, [[{"p": 3}]]], "q": "p"}', '$.**.p',
    '{"p": "[redacted]", "a": [{"p": "[redacted]"}, [[{"p": "[redacted]"}]]], "q": "p"}'
  ),
  ('{"a": {"x": {"p": 1}}, "p": 2}', '$.a.**.p', '{"a": {"x": {"p": "[redacted]"}}, "p": 2}'),
  ('[1, {"a": 2}]', '$[*].a', '[1, {"a": "[redacted]"}]'),
  ('[1, 2]', '$', '"[redacted]"'),
  ('5', '$.a', '5'),
  ('{"a": 1}', '$.b', '{"a": 1}')
) as p (value, path, expected);

select * from finish();
rollback;
