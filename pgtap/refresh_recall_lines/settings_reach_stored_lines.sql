\ir ../setup.psql
select plan(2);
select pg_temp.record('a', '{"x": "text"}', '"text"', created_at => '2026-05-12 20:00+00');
update tool_recall.settings set time_zone = 'Asia/Tokyo';
select tool_recall._refresh_batch(null, '00000000-0000-0000-0000-000000000000', 500);
select is(
  (select m.recall_line from tool_recall.message_tool_results as m),
  '- 2026-05-13 a(x="text"): "text"', 'time_zone'
);
update tool_recall.settings set quote_free_text = false;
select tool_recall._refresh_batch(null, '00000000-0000-0000-0000-000000000000', 500);
select is(
  (select m.recall_line from tool_recall.message_tool_results as m),
  U&'- 2026-05-13 a(x="\2026"): "\2026"', 'quote_free_text'
);

select * from finish();
rollback;
