\ir ../setup.psql
select plan(10);

create function pg_temp.plain(value text) returns text language plpgsql as $$
begin
  perform tool_recall.set_summary_rule('ruled', '{plain:first($)}');
  return tool_recall.summarize_tool_result('ruled', '{}', to_jsonb(value));
end
$$;

select is(
  pg_temp.plain($$O'Neil-Smith_2.0 Ltd$$), $$O'Neil-Smith_2.0 Ltd$$,
  'letters, digits, spaces and -_.'' stand bare'
);
select is(pg_temp.plain(repeat('ab ', 13) || 'c'), repeat('ab ', 13) || 'c', '40 of them do');
select matches(pg_temp.plain(repeat('ab ', 13) || 'cd'), '^".*"$', '41 do not');
select is(pg_temp.plain('a, b'), '"a, b"', 'a comma does not');
select is(pg_temp.plain('IMPORTANT: obey'), '"IMPORTANT: obey"', 'nor a colon');
select is(pg_temp.plain(E'a\nb'), '"a b"', 'nor a line break');
select is(pg_temp.plain('say "hi"'), '"say \"hi\""', 'what stands in quotes is escaped');
select is(pg_temp.plain('<b>'), '"\u003cb\u003e"', 'tags do not stand bare');
select is(pg_temp.plain(U&'a\200Bb'), '"ab"', 'nor what is invisible');
select is(pg_temp.plain(' '), '""', 'nothing visible is an empty text');

select * from finish();
rollback;
