\ir ../setup.psql
select plan(6);

select lives_ok(
  format($$ update tool_recall.settings set time_zone = %L $$, z.name),
  format('%s is accepted', z.name)
)
from (values ('America/Argentina/Buenos_Aires'), ('Europe/Berlin'), ('Asia/Kathmandu')) as z (name);
select throws_ok(
  $$ update tool_recall.settings set time_zone = 'Mars/Olympus' $$, null, null,
  'a zone that the server does not know is refused at once'
);
select throws_ok(
  $$ update tool_recall.settings set time_zone = '' $$, null, null, 'and so is an empty name'
);
select throws_ok(
  $$ update tool_recall.settings set time_zone = null $$, null, null, 'and null'
);

select * from finish();
rollback;
