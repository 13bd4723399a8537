\ir ../setup.psql
select plan(9);
\ir ../row_security.psql

create function pg_temp.seen_as(setting text) returns text[] language plpgsql as $$
begin
  perform set_config('tool_recall.user_id', setting, true);
  return pg_temp.seen();
end
$$;

select is(pg_temp.seen_as('ada'), '{}', 'a name is no key');
select is(pg_temp.seen_as(' '), '{}', 'nor is a space');
select is(pg_temp.seen_as('1'), '{}', 'nor a number');
select is(pg_temp.seen_as(pg_temp.id('ada') || ' '), '{}', 'nor a key and more');
select is(pg_temp.seen_as('{' || pg_temp.id('ada')), '{}', 'nor one in half of its braces');
select is(
  pg_temp.seen_as(pg_temp.id('ada') || ''' or ''1''=''1'), '{}', 'nor what would be SQL'
);
select is(pg_temp.seen_as(upper(pg_temp.id('ada')::text)), '{adas}', 'letters may be large');
select is(pg_temp.seen_as('{' || pg_temp.id('ada') || '}'), '{adas}', 'braces may be whole');
select is(
  pg_temp.seen_as(replace(pg_temp.id('ada')::text, '-', '')), '{adas}', 'hyphens may be missing'
);

select * from finish();
rollback;
