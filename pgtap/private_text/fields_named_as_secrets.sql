\ir ../setup.psql
select plan(3);
set local role recall_app;

select is(
  pg_temp.line(
    'a_tool', '{"password": "hunter2", "phone": "555-0199", "apiKey": "abc", "q": "abc"}', '1'
  ),
  U&'- 2026-05-12 a_tool(q="abc", phone="\2026", apiKey="\2026", password="\2026"): 1',
  'an argument that its name calls private is not shown, whatever it looks like'
);
select is(
  pg_temp.line('a_tool', '{"auth": {"client_secret": "abc", "user": "ann"}}', '1'),
  U&'- 2026-05-12 a_tool(auth={"user": "ann", "client_secret": "\2026"}): 1', 'nor within a value'
);
select is(
  tool_recall.summarize_tool_result('a_tool', '{}', '{"access_token": "abc", "plan": "Pro"}'),
  'plan "Pro"', 'nor a field of an output'
);

select * from finish();
rollback;
