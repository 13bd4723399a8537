\ir ../setup.psql
select plan(3);
-- A long summary leaves less room for the arguments: the same call does not look the same.
select tool_recall.set_summary_rule('a', '{first($.text)} {first($.text)} {first($.text)}');
set local role recall_app;
select pg_temp.record(
  'a', '{"x": "one two three four five six", "y": "one two three four five six"}',
  jsonb_build_object('text', repeat('x', t.length)), created_at => pg_temp.at(1, t.time_of_day)
)
from (values
  (35, time '10:00'), (40, '11:00'), (2, '12:00')
) as t (length, time_of_day);

select is(
  (
    select count(distinct split_part(m.recall_line, '): ', 1))
    from tool_recall.message_tool_results as m
  ),
  3::bigint, 'its line shows all, some or none of its arguments'
);
select is(pg_temp.recalled(), array['a'], 'it is the same call, and has one line');
select matches(pg_temp.block(), ': "xx" "xx" "xx"\n', 'of the newest');

select * from finish();
rollback;
