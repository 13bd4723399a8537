\ir ../setup.psql
select plan(4);
update tool_recall.settings set quote_free_text = false;
select tool_recall.set_summary_rule(
  'ruled',
  'n={count($.rows[*])} {first($.text)} {plain:first($.text)} {plain:input($.x)} '
  '{max($.rows[*].text)}'
);
set local role recall_app;

create temporary table lines as
select l.place, l.line
from (values
  ('argument', pg_temp.line('a', '{"x": "secret"}', '1')),
  ('argument that begins like a date', pg_temp.line('a', '{"x": "2026-05-01 secret"}', '1')),
  ('array', pg_temp.line('a', '{"x": ["secret", {"y": "secret"}]}', '1')),
  ('object', pg_temp.line('a', '{"x": {"y": "secret"}}', '1')),
  ('whole input', pg_temp.line('a', '"secret"', '1')),
  ('array as input', pg_temp.line('a', '["secret"]', '1')),
  ('odd argument name', pg_temp.line('a', '{"a secret": 1}', '1')),
  ('odd key in an argument', pg_temp.line('a', '{"x": {"a secret": 1}}', '1')),
  ('text', pg_temp.line('a', '{}', '"secret"')),
  ('fields', pg_temp.line('a', '{}', '{"name": "secret", "note": "secret"}')),
  ('content block', pg_temp.line('a', '{}', '[{"type": "text", "text": "secret"}]')),
  ('error in an output', pg_temp.line('a', '{}', '{"error": "secret"}')),
  ('rule', pg_temp.line(
    'ruled', '{"x": "secret"}', '{"text": "secret", "rows": [{"text": "secret"}]}'))
) as l (place, line);

select is_empty(
  $$ select place, line from lines where line ~* 'secret' or line = '' $$,
  'no text from inputs or outputs is in any line'
);
select unalike(
  tool_recall.summarize_tool_result('a', '{}', '{"error": "secret"}', true), '%secret%',
  'nor in what is said of an error'
);
select is(
  (select line from lines where place = 'argument'), U&'- 2026-05-12 a(x="\2026"): 1',
  'an ellipsis stands for an argument''s text'
);
select matches(
  (select line from lines where place = 'rule'), U&'n=1 ', 'a rule still says its numbers'
);

select * from finish();
rollback;
