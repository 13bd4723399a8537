\ir ../setup.psql
select plan(3);
update tool_recall.settings set max_output_bytes = 1024;
set local role recall_app;
select pg_temp.record(
  tool_input => jsonb_build_object('page', 7, 'document', repeat('word ', 1000)),
  created_at => '2026-05-12 10:00+00'
);

select is(
  (select m.tool_input - 'head' from tool_recall.message_tool_results as m),
  jsonb_build_object(
    'truncated', true,
    'bytes', octet_length(jsonb_build_object('page', 7, 'document', repeat('word ', 1000))::text),
    'sha256', encode(sha256(convert_to(
      jsonb_build_object('page', 7, 'document', repeat('word ', 1000))::text, 'UTF8'
    )), 'hex')
  ),
  'inputs are bounded as outputs are'
);
select is(
  (select m.repairs from tool_recall.message_tool_results as m), '{"truncated": 1}'::jsonb,
  'it is counted as a repair'
);
select matches(
  (select m.recall_line from tool_recall.message_tool_results as m),
  '^- 2026-05-12 list_orders\(page=7, document="(word )+word\u2026"\): 0 orders$',
  'the line shows the arguments as they were given'
);

select * from finish();
rollback;
