\ir ../setup.psql
select plan(24);

create function pg_temp.refusal(template text) returns text language plpgsql as $$
begin
  perform tool_recall.set_summary_rule('ruled', template);
  return 'accepted';
exception when others then
  return sqlstate || coalesce(' at ' || substring(sqlerrm from 'position ([0-9]+)'), '');
end
$$;

select is(
  pg_temp.refusal(t.template), 'TR003 at ' || t.place,
  format('%s is refused at %s', to_json(t.template), t.place)
)
from (values
  ('', 1),
  ('a {count($.x)', 3),
  ('a } b', 3),
  ('a {{count($.x)} b', 15),
  ('{}', 1),
  ('n {count}', 3),
  ('n {count $.x}', 3),
  ('{total($.x)}', 1),
  ('{Count($.x)}', 1),
  ('n {bold:first($.x)}', 3),
  ('n {:first($.x)}', 3),
  ('{count()}', 1),
  ('{count($.x, $.y)}', 1),
  ('{top($.x[*], $.y)}', 1),
  ('{top($.x[*], , $.z)}', 1),
  ('{count(x)}', 1),
  ('{count($.x[)}', 1),
  ('{first($.x ? (@ like_regex "a"))}', 1),
  ('{first($.x.datetime())}', 1),
  ('{first($variable)}', 1),
  ('{count($.a)} of {nope($.b)}', 17),
  (E'a\nb', 2),
  (U&'ab\200Bc', 3),
  ('x{first($.a)}{count($.b', 14)
) as t (template, place);

select * from finish();
rollback;
