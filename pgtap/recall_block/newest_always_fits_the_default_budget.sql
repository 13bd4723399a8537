\ir ../setup.psql
select plan(6);
set local role recall_app;

create function pg_temp.block_after(value text) returns text language plpgsql as $$
begin
  perform pg_temp.record(
    'a', jsonb_build_object('q', value, 'r', value, 's', value), to_jsonb(value)
  );
  return pg_temp.block();
end
$$;

select matches(
  pg_temp.block_after(t.value), '^Previously fetched .*\n- .*\n\nIMPORTANT:',
  format('%s in arguments and output', t.what)
)
from (values
  ('emoji', repeat(U&'\+01F9FF', 200)),
  ('emoji and spaces', repeat(U&'\+01F9FF ', 200)),
  ('rare Chinese', repeat(U&'\9F98\9750', 200)),
  ('random letters', repeat('xqzjkvbwp qzxj ', 50)),
  ('digits and signs', repeat('1#2$3%4^5! ', 50)),
  ('Georgian', repeat(U&'\10D0\10D1\10D2 \10D3', 100))
) as t (what, value);

select * from finish();
rollback;
