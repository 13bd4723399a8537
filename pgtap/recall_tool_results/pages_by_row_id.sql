\ir ../setup.psql
select plan(4);
-- Twelve results, three to a microsecond, so that pages end within a tie.
set local role recall_app;
select pg_temp.record('tool_' || n, created_at => pg_temp.at(1, '10:00') + n / 3 * interval '1 us')
from generate_series(1, 12) as n;

create function pg_temp.pages(max_results integer) returns text[] language plpgsql as $$
declare
  v_before uuid;
  v_seen text[] := '{}';
  v_page text[];
begin
  for i in 1..20 loop
    v_page := '{}';
    declare
      r record;
    begin
      for r in
        select * from tool_recall.recall_tool_results(
          pg_temp.id('ada chat'), pg_temp.id('ada'), max_results => pages.max_results,
          before => v_before
        )
      loop
        v_page := v_page || r.tool_name;
        v_before := r.id;
      end loop;
    end;
    exit when v_page = '{}';
    v_seen := v_seen || v_page;
  end loop;
  return v_seen;
end
$$;

select is(
  pg_temp.pages(p.size), array(select 'tool_' || n from generate_series(12, 1, -1) as n),
  format('pages of %s show each result once, newest first', p.size)
)
from (values (1), (2), (5), (12)) as p (size);

select * from finish();
rollback;
