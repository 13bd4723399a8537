\ir ../setup.psql
select plan(16);

select throws_ok(
  format(
    'select tool_recall.set_capture_rule(%L, redact_paths => array[%L, %L])', 't', '$.ok', p.path
  ),
  'TR003', null, format('not a path to redact: %s', p.path)
)
from (values
  (''), ('members'), ('$.a ? (@ > 1)'), ('$.a.size()'), ('$.a[last]'), ('$.a[1 to 3]'),
  ('$.a[0, 1]'), ('$.a[-1]'), ('strict $.a'), ('$.**{2}.a'), ('$name'), ('$..a'), ('1'),
  ('$.' || array_to_string(array_fill('k'::text, array[61]), '.'))
) as p (path);
select throws_like(
  $$ select tool_recall.set_capture_rule('t', redact_paths => array['$.ok', '$.a.size()']) $$,
  'redact_paths[2]: %.size()', 'the error names the path''s place and what it cannot hold'
);
select is_empty('select from tool_recall.capture_rules', 'and nothing is set');

select * from finish();
rollback;
