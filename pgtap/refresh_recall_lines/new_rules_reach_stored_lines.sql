\ir ../setup.psql
select plan(4);
select pg_temp.record('ruled', '{"x": 1}', '{"orders": [1, 2]}') as changed \gset
select pg_temp.record('other', '{"x": 1}', '{"orders": [1, 2]}') as untouched \gset

create function pg_temp.shown(id uuid) returns text language sql stable as $$
  select substr(m.recall_line, 14)
  from tool_recall.message_tool_results as m
  where m.id = shown.id
    and m.recall_tokens = case m.recall_line
      when '' then 0
      else tool_recall.count_tokens(m.recall_line || E'\n')
    end;
$$;

select tool_recall.set_summary_rule('ruled', '{count($.orders[*])} placed');
select tool_recall._refresh_batch(null, '00000000-0000-0000-0000-000000000000', 500);
select is(pg_temp.shown(:'changed'), 'ruled(x=1): 2 placed', 'a line says what the new rule says');
select is(pg_temp.shown(:'untouched'), 'other(x=1): 2 orders', 'another tool''s line stays');
select tool_recall.set_summary_rule('ruled', null);
select tool_recall._refresh_batch(null, '00000000-0000-0000-0000-000000000000', 500);
select is(pg_temp.shown(:'changed'), '', 'a tool that is hidden has none');
select tool_recall.drop_summary_rule('ruled');
select tool_recall._refresh_batch(null, '00000000-0000-0000-0000-000000000000', 500);
select is(pg_temp.shown(:'changed'), 'ruled(x=1): 2 orders', 'and has one again');

select * from finish();
rollback;
