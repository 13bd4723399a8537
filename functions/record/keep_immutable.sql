create or replace function tool_recall._keep_immutable() returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_column text;
begin
  select n.key into v_column
  from jsonb_each(to_jsonb(new) - 'recall_line' - 'recall_tokens') as n
  where n.value is distinct from to_jsonb(old) -> n.key
  limit 1;
  if v_column is not null then
    raise exception using errcode = 'TR002',
      message = format('column %I of a stored tool result is immutable', v_column),
      hint = 'Only recall_line and recall_tokens may change; delete the row to forget it.';
  end if;
  return new;
end
$$;
comment on function tool_recall._keep_immutable() is
  'Before update: refuses (TR002) a change of anything but recall_line and recall_tokens';

do $trigger$
begin
  if not exists (
    select from pg_catalog.pg_trigger as t
    where t.tgrelid = 'tool_recall.message_tool_results'::regclass and t.tgname = 'keep_immutable'
  ) then
    create trigger keep_immutable before update on tool_recall.message_tool_results
    for each row execute function tool_recall._keep_immutable();
  end if;
end
$trigger$;
