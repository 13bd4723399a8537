\ir ../setup.psql
select plan(4);

select pg_temp.record(
  'plans', '{"site": 1}', '{"plans": [{"n": "Pro"}]}', created_at => pg_temp.at(2, '10:00'));
select pg_temp.record(
  'plans', '{"site": 2}', '{"plans": [{"n": "Max"}, {"n": "Mini"}]}',
  created_at => pg_temp.at(1, '10:00'));
select pg_temp.record('plans', '{"site": 1}', '[]', created_at => pg_temp.at(0, '00:00'));
select pg_temp.record('others', '{}', '{"plans": []}');

select results_eq(
  $$
    select p.summary
    from tool_recall.preview_summary_rule('plans', '{count($.plans[*])}: {last($.plans[*].n)}') as p
  $$,
  $$ values ('0 items'), ('2: "Mini"'), ('1: "Pro"') $$,
  'of each result of the tool, newest first; generic where the rule finds nothing'
);
select results_eq(
  $$
    select p.id, p.created_at, p.summary
    from tool_recall.preview_summary_rule('plans', '{last($.plans[*].n)}', '{"site": 2}') as p
  $$,
  $$
    select m.id, m.created_at, '"Mini"'::text from tool_recall.message_tool_results as m
    where m.tool_input = '{"site": 2}'
  $$,
  'of those that match, with id and date'
);
select is(
  (select count(*) from tool_recall.preview_summary_rule('plans', '{count($.plans[*])}', '{}', 2)),
  2::bigint, 'no more than max_results'
);
select is_empty(
  'select 1 from tool_recall.summary_rules', 'and sets none'
);

select * from finish();
rollback;
