\ir ../setup.psql
select plan(2);
set local role recall_app;

select is(
  (
    select count(*)
    from (values
      ('"text"'), ('""'), ('1.50'), ('-0'), ('1e300'), ('true'), ('null'), ('[]'), ('{}'), ('[[]]'),
      ('{"": {"": []}}'), ('[null, {"a": [1, "2"]}]'), ('{"\u043a\u043b\u044e\u0447": "\u9375"}')
    ) as v (value)
      cross join lateral pg_temp.record(tool_input => v.value::jsonb, tool_output => '1') as i (id)
      cross join lateral pg_temp.record(tool_output => v.value::jsonb) as o (id)
    where i.id is not null and o.id is not null
  ),
  13::bigint, 'any JSON is accepted as input and as output'
);
select is(
  (
    select count(*) from tool_recall.message_tool_results as m
    where m.tool_output::text in ('1.50', '"text"', '[null, {"a": [1, "2"]}]')
  ),
  3::bigint, 'and stored as it is'
);

select * from finish();
rollback;
