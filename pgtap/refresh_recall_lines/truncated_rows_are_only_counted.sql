\ir ../setup.psql
select plan(2);
update tool_recall.settings set max_output_bytes = 1024;
select pg_temp.record('ruled', '{}', jsonb_build_object('n', 7, 'text', repeat('x', 2000)));
select m.recall_line as line, m.recall_tokens as tokens
from tool_recall.message_tool_results as m \gset
update tool_recall.message_tool_results set recall_tokens = 1;
select tool_recall.set_summary_rule('ruled', 'other words');
select tool_recall._refresh_batch(null, '00000000-0000-0000-0000-000000000000', 500);

select is(
  (select m.recall_line from tool_recall.message_tool_results as m), :'line'::text,
  'a line that was made from the whole stays, since the whole is gone'
);
select is(
  (select m.recall_tokens from tool_recall.message_tool_results as m), :tokens::integer,
  'its tokens are counted again'
);

select * from finish();
rollback;
