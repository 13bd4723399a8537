\ir ../setup.psql
select plan(44);

create function pg_temp.try_to_set(name text, value text) returns text language plpgsql as $$
begin
  execute format('update tool_recall.settings set %I = %L', name, value);
  return 'set';
exception when check_violation or not_null_violation then
  return 'refused';
end
$$;

select is(
  pg_temp.try_to_set(t.name, t.value), t.outcome,
  format('%s = %s is %s', t.name, coalesce(t.value, 'null'), t.outcome)
)
from (values
  ('max_rows', '1', 'set'), ('max_rows', '5', 'set'),
  ('max_rows', '0', 'refused'), ('max_rows', '6', 'refused'),
  ('token_budget', '128', 'set'), ('token_budget', '300', 'set'),
  ('token_budget', '127', 'refused'), ('token_budget', '301', 'refused'),
  ('conversation_cap', '1', 'set'), ('conversation_cap', '200', 'set'),
  ('conversation_cap', '0', 'refused'), ('conversation_cap', '201', 'refused'),
  ('retention_days', '1', 'set'), ('retention_days', '180', 'set'),
  ('retention_days', '0', 'refused'), ('retention_days', '181', 'refused'),
  ('max_output_bytes', '1024', 'set'), ('max_output_bytes', '16777216', 'set'),
  ('max_output_bytes', '1023', 'refused'), ('max_output_bytes', '16777217', 'refused'),
  ('token_margin', '1.0', 'set'), ('token_margin', '2.0', 'set'), ('token_margin', '1.35', 'set'),
  ('token_margin', '0.99', 'refused'), ('token_margin', '2.01', 'refused'),
  ('token_margin', 'NaN', 'refused'), ('token_margin', '-1', 'refused'),
  ('quote_free_text', 'false', 'set'), ('quote_free_text', 'true', 'set'),
  ('time_zone', 'Asia/Tokyo', 'set'), ('time_zone', 'UTC', 'set'),
  ('max_rows', null, 'refused'), ('token_budget', null, 'refused'),
  ('conversation_cap', null, 'refused'), ('retention_days', null, 'refused'),
  ('max_output_bytes', null, 'refused'), ('token_margin', null, 'refused'),
  ('quote_free_text', null, 'refused'),
  ('max_rows', '-2147483648', 'refused'), ('max_rows', '2147483647', 'refused'),
  ('token_budget', '2147483647', 'refused'), ('conversation_cap', '2147483647', 'refused'),
  ('retention_days', '2147483647', 'refused'), ('max_output_bytes', '2147483647', 'refused')
) as t (name, value, outcome);

select * from finish();
rollback;
