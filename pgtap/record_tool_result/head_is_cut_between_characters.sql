\ir ../setup.psql
select plan(3);
update tool_recall.settings set max_output_bytes = 1024;
set local role recall_app;
select pg_temp.record(tool_output => to_jsonb(repeat('x', n.pad) || repeat(U&'\+01F600', 1000)))
from generate_series(0, 3) as n (pad);
select pg_temp.record(tool_output => to_jsonb(repeat('"\', 1000)));
select pg_temp.record(tool_output => to_jsonb(repeat(E'\u0001\n', 1000)));

select is(
  (
    select count(*) from tool_recall.message_tool_results as m
    where m.tool_output ->> 'head' ~ U&'^"x{0,3}\+01F600+$'
  ),
  4::bigint, 'no half character ends a head'
);
select cmp_ok(
  (select max(octet_length(m.tool_output::text)) from tool_recall.message_tool_results as m),
  '<=', 1024, 'quotes, backslashes and control characters do not push it over the limit'
);
select is(
  (
    select count(*) from tool_recall.message_tool_results as m
    where m.repairs = '{"truncated": 1}'
  ),
  6::bigint, 'each is counted'
);

select * from finish();
rollback;
