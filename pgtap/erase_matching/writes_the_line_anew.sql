\ir ../setup.psql
select plan(5);
\ir erase.psql
select tool_recall.set_summary_rule('find_member', 'found {first($.members[*].name)}');
select pg_temp.record(
  'find_member', '{"name": "Jane Doe"}', '{"members": [{"name": "Jane Doe"}]}'
) as found \gset

select matches(
  pg_temp.block(), 'find_member\(name="Jane Doe"\): found "Jane Doe"', 'the line shows the name '
  'twice'
);
select is(pg_temp.erase('find_member', '$.**', 'Jane Doe'), '{1,0}', 'the name is erased');
select matches(
  pg_temp.block(), 'find_member\(name="\[redacted\]"\): found "\[redacted\]"', 'so it is in the '
  'line'
);
select is(
  (pg_temp.row_of(:'found')).recall_tokens,
  tool_recall.count_tokens((pg_temp.row_of(:'found')).recall_line || E'\n'),
  'which is counted again'
);
select is(pg_temp.holding('Jane'), 0::bigint, 'no row holds it');

select * from finish();
rollback;
