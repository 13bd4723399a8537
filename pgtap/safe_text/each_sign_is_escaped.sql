\ir ../setup.psql
select plan(12);
select tool_recall.set_summary_rule('ruled', '{plain:first($)}');
set local role recall_app;

select is(
  t.shown, '"a ' || t.escaped || ' b"', format('%s alone is escaped: %s', t.sign, t.place)
)
from (values ('<', '\u003c'), ('>', '\u003e'), ('&', '\u0026')) as s (sign, escaped)
  cross join lateral (values
    (
      s.sign, s.escaped, 'argument',
      substring(
        pg_temp.line('a', jsonb_build_object('x', format('a %s b', s.sign)), '1')
        from 'x=(.*)\): 1$'
      )
    ),
    (
      s.sign, s.escaped, 'argument''s name',
      substring(
        pg_temp.line('a', jsonb_build_object(format('a %s b', s.sign), 1), '1')
        from '\((.*)=1\): 1$'
      )
    ),
    (
      s.sign, s.escaped, 'output',
      tool_recall.summarize_tool_result('a', '{}', to_jsonb(format('a %s b', s.sign)))
    ),
    (
      s.sign, s.escaped, 'plain',
      tool_recall.summarize_tool_result('ruled', '{}', to_jsonb(format('a %s b', s.sign)))
    )
  ) as t (sign, escaped, place, shown);

select * from finish();
rollback;
