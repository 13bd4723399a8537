\ir ../setup.psql
select plan(6);
update tool_recall.settings set max_output_bytes = 1024;
set local role recall_app;
select pg_temp.record(tool_output => to_jsonb(repeat('x', 1022))) as ascii \gset
select pg_temp.record(tool_output => to_jsonb(repeat('x', 1023))) as one_more \gset
select pg_temp.record(tool_output => to_jsonb(repeat(U&'\65E5', 340))) as wide \gset
select pg_temp.record(tool_output => to_jsonb(repeat(U&'\65E5', 341))) as wide_one_more \gset
select pg_temp.record(tool_input => to_jsonb(repeat('x', 1022))) as input \gset
select pg_temp.record(tool_input => to_jsonb(repeat('x', 1023))) as input_one_more \gset

create function pg_temp.repairs_of(id uuid) returns jsonb language sql stable as $$
  select m.repairs from tool_recall.message_tool_results as m where m.id = repairs_of.id;
$$;

select is(pg_temp.repairs_of(:'ascii'), null, '1024 bytes with the quotes are stored whole');
select is(pg_temp.repairs_of(:'one_more'), '{"truncated": 1}'::jsonb, '1025 are not');
select is(pg_temp.repairs_of(:'wide'), null, '340 characters of 3 bytes fit');
select is(
  pg_temp.repairs_of(:'wide_one_more'), '{"truncated": 1}'::jsonb, '341 do not: bytes count'
);
select is(pg_temp.repairs_of(:'input'), null, 'the same holds for an input of 1024 bytes');
select is(pg_temp.repairs_of(:'input_one_more'), '{"truncated": 1}'::jsonb, 'and of 1025');

select * from finish();
rollback;
