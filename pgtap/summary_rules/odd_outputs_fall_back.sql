\ir ../setup.psql
select plan(10);
-- What each placeholder makes of outputs that it was not written for: the summary is the generic
-- one, and recording never fails.
create temporary table odd as
select o.value::jsonb as value
from (values
  ('null'), ('7'), ('"text"'), ('""'), ('true'), ('[]'), ('{}'), ('[[]]'), ('{"x": null}'),
  ('{"x": {}}'), ('{"x": [{}]}'), ('{"y": [1, 2, 3]}'), ('{"x": [[], {}]}')
) as o (value)
union all
select (repeat('[', 5000) || repeat(']', 5000))::jsonb
union all
select (repeat('{"x": ', 3000) || '{}' || repeat('}', 3000))::jsonb;

create function pg_temp.wrong(template text) returns setof text language plpgsql as $$
declare
  v_value jsonb;
  v_id uuid;
begin
  perform tool_recall.set_summary_rule('ruled', template);
  for v_value in select o.value from odd as o loop
    v_id := pg_temp.record('ruled', tool_output => v_value);
    if exists (
      select from tool_recall.message_tool_results as m
      where m.id = v_id and strpos(
        m.recall_line,
        'ruled(): ' || left(tool_recall.summarize_tool_result('unruled', '{}', v_value), 100)
      ) = 0
    ) then
      return next left(v_value::text, 100);
    end if;
  end loop;
end
$$;

select is_empty(
  format('select pg_temp.wrong(%L)', t.template), format('%s falls back', t.template)
)
from (values
  ('n {count($.x[*].n)} {first($.x.y)}'), ('n {first($.x.y)}'), ('n {last($.x.y)}'),
  ('n {min($.x.y)}'), ('n {max($.x.y)}'), ('n {sum($.x.y)}'), ('n {change($.x.y)}'),
  ('n {top($.x[*], $.y, $.z)}'), ('n {date:first($.x)}'), ('n {first($.**.z)}')
) as t (template);

select * from finish();
rollback;
