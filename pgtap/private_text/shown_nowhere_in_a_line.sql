\ir ../setup.psql
select plan(7);
set local role recall_app;

create temporary table secrets as
select s.secret from unnest(array[
  -- E-mail addresses.
  'bob@example.com', 'Bob.Smith+x@mail.example.co.uk', 'mailto:bob@example.com',
  'bob%40example.com',
  U&'bob\FF20example.com', U&'b\200Bob@example.com', U&'j\00FCrgen@example.com',
  -- Telephone numbers.
  '+49 30 1234567', '+14155550123', '(555) 123-4567', '555-123-4567', '555.123.4567',
  '0049 30 1234567', '06 12 34 56 78', '22 12 34 56', '(11) 98765-4321', '0171/1234567',
  U&'\FF0B\FF14\FF19 \FF13\FF10 \FF11\FF12\FF13\FF14\FF15\FF16\FF17',
  -- Cards and accounts.
  '4111 1111 1111 1111', '4111-1111-1111-1111', '378282246310005', 'DE89 3704 0044 0532 0130 00',
  '123-45-6789',
  -- Keys and tokens.
  'sk-ant-api03-abcdefghijk', 'sk_live_4eC39HqLyjWDarjtT1zdp7dc', 'sk-abcdefghijklmnopqrst',
  'ghp_16C7e42F292c6912E7710c838347Ae178B4a', 'AKIAIOSFODNN7EXAMPLE', 'xoxb-123456789012-abcdefgh',
  'Bearer abcdefghijklmnop1234', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc', 'password=hunter2',
  'glpat-abcdefghij1234567890', 'd41d8cd98f00b204e9800998ecf8427e', 'Token: hunter2hunter2',
  '-----BEGIN RSA PRIVATE KEY----- MIIEowIBAAKCAQEA'
]) as s (secret);

-- Of the secret no five characters in a row, but for words that say what it is.
create function pg_temp.leaks(line text, secret text) returns boolean language sql as $$
  select exists (
    select from generate_series(1, length(secret) - 4) as n
    where strpos(line, substr(secret, n, 5)) > 0
      and substr(secret, n, 5) !~ '^(mailt|ailto|ilto:|passw|asswo|sswor|sword|word=|Bearer|Token)'
  );
$$;

create function pg_temp.leaking(input jsonb, output jsonb, secret text) returns boolean
language sql as $$
  select pg_temp.leaks(pg_temp.line('a_tool', input, output), secret);
$$;

select is_empty(
  $$
    select secret from secrets
    where pg_temp.leaking(jsonb_build_object('q', secret), '1', secret)
  $$,
  'an argument'
);
select is_empty(
  $$
    select secret from secrets
    where pg_temp.leaking(
      jsonb_build_object('q', jsonb_build_array(jsonb_build_object('a', secret))), '1', secret)
  $$,
  'a value within an argument'
);
select is_empty(
  $$
    select secret from secrets
    where pg_temp.leaking(jsonb_build_object(secret, 1), '1', secret)
  $$,
  'the name of an argument'
);
select is_empty(
  $$
    select secret from secrets
    where pg_temp.leaking('{}', to_jsonb('It is ' || secret || ' as you asked.'), secret)
  $$,
  'a text'
);
select is_empty(
  $$
    select secret from secrets
    where pg_temp.leaking('{}', jsonb_build_object('error', 'not found: ' || secret), secret)
  $$,
  'an error'
);
select is_empty(
  $$
    select secret from secrets
    where pg_temp.leaking('{}', jsonb_build_object('name', secret), secret)
      or pg_temp.leaking(
        '{}', jsonb_build_object('contact', jsonb_build_object('x', secret)), secret)
  $$,
  'a field of an object'
);
select is_empty(
  $$
    select secret from secrets
    where pg_temp.leaking(
      '{}', jsonb_build_object('users', jsonb_build_array(jsonb_build_object('name', secret), 1)),
      secret)
      or pg_temp.leaking('{}', jsonb_build_object(secret, '[1, 2]'::jsonb), secret)
  $$,
  'the name of a list''s item, or its key'
);

select * from finish();
rollback;
