\ir ../setup.psql
select plan(2);
insert into conversations (id, user_id) select md5('chat ' || n)::uuid, pg_temp.id('ada')
from generate_series(1, 15000) as n;
insert into messages (id, conversation_id, role)
select md5('message ' || n)::uuid, md5('chat ' || n)::uuid, 'assistant'
from generate_series(1, 15000) as n;
update tool_recall.settings set conversation_cap = 1;
set local role recall_app;

select lives_ok(
  $$
    insert into tool_recall.message_tool_results (
      user_id, conversation_id, message_id, tool_name, tool_input, tool_output
    )
    select
      pg_temp.id('ada'), md5('chat ' || n)::uuid, md5('message ' || n)::uuid, t.name, '{}', '1'
    from (values (1, 'first'), (2, 'second')) as t (place, name)
      cross join generate_series(1, 15000) as n
    order by t.place
  $$,
  'one INSERT may hold results of 15 000 conversations'
);
select results_eq(
  'select tool_name::text, count(*) from tool_recall.message_tool_results group by tool_name',
  $$ values ('second', 15000::bigint) $$,
  'the cap is kept in each of them'
);

select * from finish();
rollback;
