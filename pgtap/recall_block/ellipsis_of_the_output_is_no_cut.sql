\ir ../setup.psql
select plan(2);
set local role recall_app;
select pg_temp.record(
  'a', t.tool_input, to_jsonb(t.word || repeat(' and more', 30)),
  created_at => pg_temp.at(1, t.time_of_day)
)
from (values
  ('{}'::jsonb, 'old', time '10:00'), ('{"x": 1}', 'other', '11:00'), ('{}', 'new', '12:00')
) as t (tool_input, word, time_of_day);

select is(pg_temp.recalled(), array['a', 'a'], 'a repeated call among others has one line');
select matches(
  pg_temp.block(),
  '\n- .{10} a\(\): "new and [^\n]*\u2026"\n- .{10} a\(x=1\): "other and [^\n]*\u2026"\n\n',
  'of the newest, in its place'
);

select * from finish();
rollback;
