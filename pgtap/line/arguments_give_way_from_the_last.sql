\ir ../setup.psql
select plan(3);
set local role recall_app;

select is(
  pg_temp.line(
    'search',
    '{"a": "one two three four five six seven", "b": "one two three four five six seven",
      "c": "one two three four five six seven", "d": 4}',
    '{"orders": [1, 2, 3]}'
  ),
  '- 2026-05-12 search(a="one two three four five six seven", '
  'b="one two three four five six seven", c="one two three four five six seven", d=4): 3 orders',
  'what fits is shown'
);
select is(
  pg_temp.line(
    'search',
    '{"a": "one two three four five six seven", "b": "one two three four five six seven",
      "c": "one two three four five six seven", "d": "one two three four five six seven"}',
    '{"orders": [1, 2, 3]}'
  ),
  U&'- 2026-05-12 search(a="one two three four five six seven", '
  'b="one two three four five six seven", c="one two three four five six seven", \2026): 3 orders',
  'the last arguments become an ellipsis'
);
select is(
  pg_temp.line(
    'search',
    jsonb_build_object('q', to_jsonb(array_fill('some words'::text, array[15])), 'page', 2),
    '{"orders": [1, 2, 3]}'
  ),
  U&'- 2026-05-12 search(\2026): 3 orders',
  'one that does not fit takes along those behind it'
);

select * from finish();
rollback;
