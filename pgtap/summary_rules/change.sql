\ir ../setup.psql
select plan(12);

create function pg_temp.change(first_value numeric, last_value numeric) returns text
language plpgsql as $$
begin
  perform tool_recall.set_summary_rule('ruled', '{change($[*])}');
  return tool_recall.summarize_tool_result(
    'ruled', '{}', jsonb_build_array(first_value, 1000000, last_value)
  );
end
$$;

select is(
  pg_temp.change(c.first_value, c.last_value), c.change,
  format('from %s to %s is %s', c.first_value, c.last_value, c.change)
)
from (values
  (50, 56, '+12%'), (50, 44, '-12%'), (100, 300, '+200%'), (10, 0, '-100%'),
  -- Half away from zero: 12.5, -12.5, 0.5, -0.5, 2.5 and what is just below.
  (8, 9, '+13%'), (8, 7, '-13%'), (200, 201, '+1%'), (200, 199, '-1%'), (40, 41, '+3%'),
  (1000, 1024.99, '+2%'), (1000, 975.01, '-2%'), (3, 4, '+33%')
) as c (first_value, last_value, change);

select * from finish();
rollback;
