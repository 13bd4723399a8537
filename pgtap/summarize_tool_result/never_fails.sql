\ir ../setup.psql
select plan(3);
set local role recall_app;

create temporary table odd as
select o.value::jsonb as value
from (values
  ('{}'), ('[]'), ('""'), ('" "'), ('true'), ('-0.0'), ('1e400'), ('{"": ""}'), ('{"a": {}}'),
  ('[[], {}]'), ('[null, null]'), ('[{"type": "text"}]'), ('[{"type": "text", "text": 7}]'),
  ('[{"type": {}}]'), ('[{"type": "image"}, {"type": "text", "text": null}]'), ('{"data": null}'),
  ('{"data": []}'), ('{"data": {"data": {"data": {"data": {"data": {"data": {"data": {}}}}}}}}'),
  ('{"content": {}}'), ('{"content": [1]}'), ('{"content": [], "isError": "yes"}'),
  ('{"structuredContent": null}'), ('{"error": null}'), ('{"error": []}'), ('{"error": {}}'),
  ('{"error": {"error": {"error": {"error": {"error": {"error": {"error": 1}}}}}}}'),
  ('{"total": "many", "items": [1]}'), ('{"total": -1, "items": [1]}'),
  ('{"total": 1e300, "items": [1]}'), ('{"total": 0, "items": [1, 2]}'),
  ('{"has_more": "maybe", "items": []}'), ('{"items": [{"created_at": 7}, {"created_at": null}]}'),
  ('{"items": [{"created_at": "2026-02-30"}, {"created_at": "not a day"}]}'),
  ('{"items": [{"created_at": "2026-02-28"}, {"created_at": {}}, 7, null]}'),
  ('{"items": [{"created_at": "9999-12-31T23:59:59-14:00"}, {"created_at": "0001-01-01"}]}'),
  ('"[1, 2"'), ('"{\"a\": 1} and more"'), ('"[]"'), ('"\\u0000"'), ('"{\"a\": \"\\u0000\"}"')
) as o (value)
union all
select (repeat('[', n) || repeat(']', n))::jsonb from (values (100), (1000), (5000)) as d (n)
union all
select (repeat('{"data": ', n) || '1' || repeat('}', n))::jsonb from (values (100), (5000)) as d (n)
union all
select to_jsonb(repeat('[', 100000))
union all
select to_jsonb(repeat('x', 3000000));

select is_empty(
  $$
    select left(value::text, 200)
    from odd
      cross join lateral (values (true), (false)) as e (is_error)
    where coalesce(tool_recall.summarize_tool_result('a', '{}', value, e.is_error), '') = ''
  $$,
  'whatever a tool returned there is something to say of it'
);
select is_empty(
  $$ select left(value::text, 200) from odd where pg_temp.record(tool_output => value) is null $$,
  'and it is recorded as output'
);
select is_empty(
  $$ select left(value::text, 200) from odd where pg_temp.record(tool_input => value) is null $$,
  'and as input'
);

select * from finish();
rollback;
