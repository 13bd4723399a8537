\ir ../setup.psql
select plan(3);
set local role recall_app;

create function pg_temp.line_with(letters integer) returns text language sql as $$
  select pg_temp.line(
    'a',
    jsonb_build_object(
      'a', 'one two three four five six seven eight',
      'b', 'one two three four five six seven eight',
      'c', 'one two three four five six seven eight', 'd', repeat('x', letters)
    ),
    '1'
  );
$$;

select is(octet_length(pg_temp.line_with(22)), 180, 'arguments that fit exactly');
select alike(pg_temp.line_with(22), '%", d="' || repeat('x', 22) || '"): 1', 'are shown whole');
select alike(
  pg_temp.line_with(23), U&'%seven eight", \2026): 1', 'with one byte more the last gives way'
);

select * from finish();
rollback;
