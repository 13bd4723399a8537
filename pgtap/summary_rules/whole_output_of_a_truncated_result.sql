\ir ../setup.psql
select plan(1);
update tool_recall.settings set max_output_bytes = 1024;
select tool_recall.set_summary_rule('ruled', '{sum($[*])} in {input($.note)}');

select matches(
  pg_temp.line(
    'ruled', jsonb_build_object('note', 'short', 'rest', repeat('x', 2000)),
    (select jsonb_agg(n) from generate_series(1, 1000) as n)
  ),
  ': 500500 in "short"$', 'a rule speaks of the whole, though only the head is stored'
);

select * from finish();
rollback;
