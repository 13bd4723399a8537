create or replace function tool_recall.forget_user(
  user_id tool_recall.message_tool_results.user_id%type
) returns bigint
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_deleted bigint;
begin
  if coalesce(forget_user.user_id::text, '') = '' then
    raise exception using errcode = 'TR001', message = 'user_id is null or empty',
      hint = 'It never means everybody.';
  end if;
  if tool_recall._has_row_security() then
    perform tool_recall._check_setting_user(forget_user.user_id);
  end if;
  delete from tool_recall.message_tool_results as d where d.user_id = forget_user.user_id;
  get diagnostics v_deleted = row_count;
  if v_deleted > 0 then
    perform tool_recall._count('tool_results_forgotten_total', '', v_deleted);
  end if;
  return v_deleted;
end
$$;
comment on function tool_recall.forget_user is
  'Deletes all that is held of a user whose account stays, and says how many rows; a deleted '
  'account''s rows go by themselves. TR001: user_id is null or empty; or row security is on and '
  'the '
  'setting tool_recall.user_id is not this user, whoever calls';

create or replace function tool_recall.forget_conversation(
  conversation_id tool_recall.message_tool_results.conversation_id%type
) returns bigint
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_deleted bigint;
  v_bound boolean := tool_recall._has_row_security();
  v_user_id tool_recall.message_tool_results.user_id%type := tool_recall._setting_user_id();
begin
  if coalesce(forget_conversation.conversation_id::text, '') = '' then
    raise exception using errcode = 'TR001', message = 'conversation_id is null or empty',
      hint = 'It never means every conversation.';
  end if;
  if v_bound and v_user_id is null then
    perform tool_recall._refuse_user();
  end if;
  delete from tool_recall.message_tool_results as d
  where d.conversation_id = forget_conversation.conversation_id
    and (not v_bound or d.user_id = v_user_id);
  get diagnostics v_deleted = row_count;
  if v_deleted > 0 then
    perform tool_recall._count('tool_results_forgotten_total', '', v_deleted);
  end if;
  return v_deleted;
end
$$;
comment on function tool_recall.forget_conversation is
  'Deletes all results of a conversation that stays, and says how many rows. '
  'Where row security is on, only those of the user that the setting tool_recall.user_id names. '
  'TR001: conversation_id is null or empty; or row security is on and the setting names nobody';
