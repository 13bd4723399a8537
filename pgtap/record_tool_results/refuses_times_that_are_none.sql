\ir ../setup.psql
select plan(14);
set local role recall_app;

select throws_ok(
  format(
    $$
      select tool_recall.record_tool_results(
        pg_temp.id('ada chat'), pg_temp.id('ada'), pg_temp.id('ada message'),
        jsonb_build_array(jsonb_build_object('tool_name', 'a', 'created_at', %L::jsonb))
      )
    $$, to_jsonb(t.value)
  ),
  'TR002', null, format('created_at %s is refused', t.value)
)
from (values
  (''), ('soon'), ('now'), ('infinity'), ('-infinity'), ('03/04/2026'), ('2026-02-30'),
  ('2026-05-01T10:00:99Z'), ('2026-05-01T24:30:00Z'), ('2026-05-01T10:61:00Z'),
  ('2026-05-01T10:00:00+99:00'), ('2026-05-01T10:00:00+10:99'), ('99999999-01-01'), ('1778580000')
) as t (value);

select * from finish();
rollback;
