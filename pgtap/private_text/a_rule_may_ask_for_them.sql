\ir ../setup.psql
select plan(2);

select is(
  pg_temp.summary('{first($.email)} since {first($.phone)}',
    '{"email": "bob@example.com", "phone": "+49 30 1234567"}'),
  '"bob@example.com" since "+49 30 1234567"', 'a field that a rule names is shown'
);
select is(
  pg_temp.summary('{plain:first($.token)}', '{"token": "d41d8cd98f00b204e9800998ecf8427e"}'),
  'd41d8cd98f00b204e9800998ecf8427e', 'plain too'
);

select * from finish();
rollback;
