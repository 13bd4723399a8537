\ir ../setup.psql
select plan(7);
set local role recall_app;

select is(
  pg_temp.line('a', '"some text"', '1'), '- 2026-05-12 a("some text"): 1', 'a text is shown as JSON'
);
select is(pg_temp.line('a', '7.50', '1'), '- 2026-05-12 a(7.50): 1', 'a number');
select is(pg_temp.line('a', 'true', '1'), '- 2026-05-12 a(true): 1', 'a boolean');
select is(pg_temp.line('a', 'null', '1'), '- 2026-05-12 a(null): 1', 'null');
select is(pg_temp.line('a', '[]', '1'), '- 2026-05-12 a([]): 1', 'an empty array');
select is(
  pg_temp.line('a', '[1, "b", {"c": null}]', '1'), '- 2026-05-12 a([1, "b", {"c": null}]): 1',
  'an array'
);
select matches(
  pg_temp.line('a', to_jsonb(array(select generate_series(1000, 1100))), '1'),
  '^- 2026-05-12 a\((\[1000, .*)?\u2026\]?\): 1$', 'a long array is cut by an ellipsis'
);

select * from finish();
rollback;
