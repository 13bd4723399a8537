\ir ../setup.psql
select plan(4);

select is(
  pg_temp.summary('{{{first($.n)}}} {{}}', '{"n": 1}'), '{1} {}', 'a doubled brace is a brace'
);
select is(
  pg_temp.summary('{first($."a)}b, c")}', '{"a)}b, c": 1}'), '1',
  'within a path''s quotes braces, parentheses and commas are text'
);
select is(
  pg_temp.summary('{ plain : first ( $.n ) }', '{"n": "x"}'), 'x',
  'spaces in a placeholder do not matter'
);
select is(
  pg_temp.summary('{first(strict $.n)} {first(lax $.n[0])}', '{"n": 1}'), '1 1',
  'a path may name its mode'
);

select * from finish();
rollback;
