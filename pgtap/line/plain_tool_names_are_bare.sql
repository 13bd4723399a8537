\ir ../setup.psql
select plan(4);
set local role recall_app;

select is(
  pg_temp.line(t.name, '{}', '1'), format('- 2026-05-12 %s(): 1', t.name),
  format('%s stands bare', t.name)
)
from (values
  ('query_site_data'), ('mcp__crm/contacts.v2:list-all'), ('A-Z'), (repeat('x', 64))
) as t (name);

select * from finish();
rollback;
