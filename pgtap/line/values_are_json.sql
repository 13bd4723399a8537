\ir ../setup.psql
select plan(10);
set local role recall_app;

select is(pg_temp.line('a', '{"x": 1.50}', '1'), '- 2026-05-12 a(x=1.50): 1', 'a number');
select is(pg_temp.line('a', '{"x": -3}', '1'), '- 2026-05-12 a(x=-3): 1', 'a negative number');
select is(pg_temp.line('a', '{"x": false}', '1'), '- 2026-05-12 a(x=false): 1', 'a boolean');
select is(pg_temp.line('a', '{"x": null}', '1'), '- 2026-05-12 a(x=null): 1', 'null');
select is(pg_temp.line('a', '{"x": ""}', '1'), '- 2026-05-12 a(x=""): 1', 'an empty text');
select is(
  pg_temp.line('a', '{"x": "say \"hi\" \\ bye"}', '1'),
  '- 2026-05-12 a(x="say \"hi\" \\ bye"): 1', 'quotes and backslashes are escaped'
);
select is(
  pg_temp.line('a', '{"x": [1, "two", [null]]}', '1'),
  '- 2026-05-12 a(x=[1, "two", [null]]): 1', 'an array'
);
select is(
  pg_temp.line('a', '{"x": {"to": "b", "a": {"c": true}}}', '1'),
  '- 2026-05-12 a(x={"a": {"c": true}, "to": "b"}): 1', 'an object'
);
select matches(
  pg_temp.line('a', jsonb_build_object('x', array(select generate_series(1, 40))), '1'),
  '^- 2026-05-12 a\((x=\[1, 2, .*\u2026.*|\u2026)\): 1$', 'of a long array not all, which shows'
);
select is(
  pg_temp.line('a', U&'{"x": "\017Eivot \65E5\672C \+01F600"}'::jsonb, '1'),
  U&'- 2026-05-12 a(x="\017Eivot \65E5\672C \+01F600"): 1', 'letters of all scripts, and emoji'
);

select * from finish();
rollback;
