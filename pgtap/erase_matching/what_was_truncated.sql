\ir ../setup.psql
select plan(12);
\ir erase.psql
update tool_recall.settings set max_output_bytes = 1024;
select tool_recall.set_summary_rule('list_members', '{count($[*])}, first {first($[*].name)}');

create function pg_temp.members(first_name text, how_many integer) returns jsonb
language sql immutable as $$
  select jsonb_build_array(jsonb_build_object('name', first_name))
    || jsonb_agg(jsonb_build_object('name', 'member ' || n))
  from generate_series(1, how_many) as n;
$$;
select pg_temp.record('list_members', '{}', pg_temp.members('Jane Doe', 100)) as in_head \gset
select pg_temp.record('list_members', '{}', pg_temp.members('John Doe', 100)) as without \gset
-- 384 bytes of a head: the name is cut by its end.
select pg_temp.record(
  'list_members', '{"page": 2}',
  jsonb_build_array(repeat('x', 374)) || '["Jane Doe"]' || pg_temp.members('a', 100)
) as at_the_end \gset

select is(
  (pg_temp.row_of(:'in_head')).tool_output ->> 'truncated', 'true', 'a large output is cut'
);
select matches(
  (pg_temp.row_of(:'in_head')).recall_line, 'first "Jane Doe"', 'its line shows a name'
);
select matches(
  (pg_temp.row_of(:'at_the_end')).tool_output ->> 'head', 'Jane( D?)?$', 'another ends in a part '
  'of it'
);
select is(
  pg_temp.erase('list_members', '$[*].name', 'Jane Doe'), '{2,0}', 'both are found'
);
select is(
  (pg_temp.row_of(:'in_head')).tool_output ->> 'head', '[redacted]',
  'a head, in which no path finds anything, goes whole'
);
select is(
  (pg_temp.row_of(:'in_head')).tool_output ? 'sha256', true, 'what says how large it was stays'
);
select is(
  (pg_temp.row_of(:'in_head')).recall_line, '',
  'and so does the line, which was made from the whole and shows the name'
);
select is((pg_temp.row_of(:'in_head')).recall_tokens, 0, 'it counts nothing');
select is(
  (pg_temp.row_of(:'at_the_end')).tool_output ->> 'head', '[redacted]',
  'a head that ends in a part of the value goes as well'
);
select matches(
  (pg_temp.row_of(:'without')).recall_line, 'first "John Doe"', 'other rows keep their line'
);
select matches((pg_temp.row_of(:'without')).tool_output ->> 'head', 'John Doe', 'and their head');
select is(
  pg_temp.erase('list_members', '$[*].name', 'Jane Doe'), '{0,0}', 'again there is nothing'
);

select * from finish();
rollback;
