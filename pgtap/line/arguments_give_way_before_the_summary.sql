\ir ../setup.psql
select plan(4);
select tool_recall.set_summary_rule('hundred', left(repeat('some words ', 20), 99) || '.');
select tool_recall.set_summary_rule('longest', left(repeat('some words ', 20), 153) || '.');
select tool_recall.set_summary_rule('too_long', left(repeat('some words ', 20), 200) || '.');
set local role recall_app;

select is(
  pg_temp.line(
    'hundred', '{"a": "one two three four five six", "b": "one two three four five six"}'
  ),
  U&'- 2026-05-12 hundred(a="one two three four five six", \2026): '
  || left(repeat('some words ', 20), 99) || '.',
  'the summary is whole while there are arguments to leave out'
);
select is(
  pg_temp.line('longest', '{}'),
  '- 2026-05-12 longest(): ' || left(repeat('some words ', 20), 153) || '.',
  'without arguments it may take all the room there is'
);
select matches(
  pg_temp.line('longest', '{"a": 1}'),
  '^- 2026-05-12 longest\(\u2026\): (some words )+(some|words)?\.?\u2026?$',
  'with some it is cut only after they have gone'
);
select matches(
  pg_temp.line('too_long', '{"a": 1}'),
  '^- 2026-05-12 too_long\(\u2026\): (some words )+(some\u2026|words\u2026|\u2026)$',
  'a longer one is cut at a word'
);

select * from finish();
rollback;
