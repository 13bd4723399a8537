\ir ../setup.psql
select plan(2);
set local role recall_app;

select throws_ok(
  $$
    select tool_recall.record_tool_results(
      pg_temp.id('ada chat'), pg_temp.id('bob'), pg_temp.id('ada message'), '[{"tool_name": "a"}]'
    )
  $$,
  'TR001', null, 'another user''s conversation is refused'
);
select throws_ok(
  $$
    select tool_recall.record_tool_results(
      null, pg_temp.id('ada'), pg_temp.id('ada message'), '[{"tool_name": "a"}]'
    )
  $$,
  'TR001', null, 'a conversation_id that is null is refused'
);

select * from finish();
rollback;
