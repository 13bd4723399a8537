\ir ../setup.psql
\ir find.psql
select plan(7);

select is(
  pg_temp.redacted(
    '{"content": [{"type": "text", "text": "{\"m\": [{\"e\": \"ada@example.com\", \"n\": 1}]}"}]}',
    '$.m[*].e'
  ) #>> '{content,0,text}',
  '{"m": [{"e": "[redacted]", "n": 1}]}',
  'JSON in a content block is searched as a result of its own'
);
select is(
  pg_temp.redacted('{"a": "{\"b\": 1}"}', '$.a.b'), '{"a": "{\"b\": \"[redacted]\"}"}',
  'and as a part of the whole'
);
select is(
  pg_temp.redacted(to_jsonb('{"a": ' || to_jsonb('{"p": "x"}'::text)::text || '}'), '$.**.p')
    #>> '{}',
  '{"a": "{\"p\": \"[redacted]\"}"}', 'a text in a text too'
);
select is(
  pg_temp.redacted(to_jsonb(E'```json\n{"p": "x"}\n```'::text), '$.p') #>> '{}',
  '{"p": "[redacted]"}', 'and one between code fences'
);
select is(
  pg_temp.redacted('{"text": "{\"p\": \"cut o"}', '$.p'), '{"text": "[redacted]"}',
  'a text that begins like JSON and cannot be read goes as a whole'
);
select is(
  pg_temp.redacted('{"text": "{\"a\": {\"p\": \"x\"}, \"a\": 1}"}', '$.**.p'),
  '{"text": "{\"a\": 1}"}', 'of a key that stands there twice only what was searched stays'
);
select is(
  pg_temp.redacted('{"text": "[INFO] {p: none of JSON}", "t": "{}"}', '$.p'),
  '{"text": "[INFO] {p: none of JSON}", "t": "{}"}', 'other texts stay'
);

select * from finish();
rollback;
