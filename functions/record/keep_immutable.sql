create or replace function tool_recall._keep_immutable() returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_column text;
  v_free text[] := array['recall_line', 'recall_tokens'];
begin
  -- Only the owner may write to that table, and only erase_matching does.
  if exists (select from tool_recall._erasures as e where e.id = old.id) then
    v_free := v_free || array['tool_input', 'tool_output', 'repairs'];
  end if;
  select n.key into v_column
  from jsonb_each(to_jsonb(new) - v_free) as n
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
  'Before update: refuses (TR002) a change of anything but recall_line and recall_tokens, and what '
  'erase_matching changes';

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
