-- Every path into the table (function, INSERT, COPY) passes here.
create or replace function tool_recall._prepare_row() returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_summary text;
  r record;
begin
  -- One statement for settings, ownership and the tool's rule; each host row is sought by its key
  -- alone, so that no plan made on small tables reads all messages of a conversation later.
  select
    s.max_output_bytes, s.time_zone, s.quote_free_text,
    (
      select h.user_id from tool_recall._host_conversations as h
      where h.conversation_id = new.conversation_id
    ) = new.user_id as owned,
    (
      select h.conversation_id from tool_recall._host_messages as h
      where h.message_id = new.message_id
    ) = new.conversation_id as contained,
    u as rule
  into r
  from tool_recall.settings as s
    left join lateral tool_recall._summary_rule(new.tool_name, new.tool_input) as u on true
  where s.only_row;
  if r.owned is not true then
    raise exception using errcode = 'TR001',
      message = format('conversation %s does not belong to user %s, or one of them is gone',
        new.conversation_id, new.user_id);
  end if;
  if r.contained is not true then
    -- Where no messages table is bound any message is accepted.
    if new.message_id is null or not exists (
      select from tool_recall._host_messages as h
      where h.message_id is null and h.conversation_id = new.conversation_id
    ) then
      raise exception using errcode = 'TR001',
        message = format('message %s is not in conversation %s, or is gone',
          new.message_id, new.conversation_id);
    end if;
  end if;

  if tool_recall._clean_text(new.tool_name) = '' then
    raise exception using errcode = 'TR002', message = 'tool_name is blank';
  end if;
  if new.created_at > v_now or new.created_at = '-infinity' then
    if not isfinite(new.created_at) or new.created_at > v_now + interval '5 minutes' then
      raise exception using errcode = 'TR002',
        message = format('created_at is %s', case when isfinite(new.created_at)
          then 'more than five minutes ahead of the database''s clock' else 'infinite' end),
        hint = 'It is the time at which the tool returned; leave it out for the present.';
    end if;
    new.created_at := v_now;
    new.repairs := tool_recall._add_repair(new.repairs, 'future');
  end if;
  if new.tool_use_id = '' then
    new.tool_use_id := null;
  end if;

  v_summary := tool_recall._summarize(
    r.rule, new.tool_input, new.tool_output, new.is_error, r.quote_free_text);
  new.recall_line := coalesce(tool_recall._render_line(
    new.created_at, new.tool_name, new.tool_input, v_summary, r.time_zone, r.quote_free_text), '');
  new.recall_tokens := tool_recall._line_tokens(new.recall_line);

  -- After the summary, which is made from the whole value.
  if octet_length(new.tool_input::text) > r.max_output_bytes then
    new.tool_input := tool_recall._fit(new.tool_input, r.max_output_bytes);
    new.repairs := tool_recall._add_repair(new.repairs, 'truncated');
  end if;
  if octet_length(new.tool_output::text) > r.max_output_bytes then
    new.tool_output := tool_recall._fit(new.tool_output, r.max_output_bytes);
    new.repairs := tool_recall._add_repair(new.repairs, 'truncated');
  end if;
  return new;
end
$$;
comment on function tool_recall._prepare_row() is
  'Before insert: checks ownership (TR001) and the row (TR002), writes its line, fits its size';

do $trigger$
begin
  if not exists (
    select from pg_catalog.pg_trigger as t
    where t.tgrelid = 'tool_recall.message_tool_results'::regclass and t.tgname = 'prepare_row'
  ) then
    create trigger prepare_row before insert on tool_recall.message_tool_results
    for each row execute function tool_recall._prepare_row();
  end if;
end
$trigger$;
