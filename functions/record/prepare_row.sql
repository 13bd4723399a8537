create or replace function tool_recall._acts_as_owner() returns boolean
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
  -- Within a security definer function current_user is its owner; the caller is told by these.
  select pg_has_role(
    coalesce(nullif(current_setting('role'), 'none'), session_user)::name, current_user, 'member')
$$;
comment on function tool_recall._acts_as_owner() is
  'Whether the session acts as the installing role, as a member of it, or as a superuser';

-- Every path into the table (function, INSERT, COPY) passes here.
create or replace function tool_recall._prepare_row() returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_summary text;
  v_failed boolean := false;
  -- A dump's row comes finished. Only who may rewrite lines anyway is believed.
  v_finished boolean := new.recall_line is not null and new.recall_tokens is not null
    and tool_recall._acts_as_owner();
  r record;
  v_capture tool_recall.capture_rules;
  c record;
begin
  if v_finished then
    -- Without settings: they may be loaded later than this row.
    select
      (
        select h.user_id from tool_recall._host_conversations as h
        where h.conversation_id = new.conversation_id
      ) = new.user_id as owned,
      (
        select h.conversation_id from tool_recall._host_messages as h
        where h.message_id = new.message_id
      ) = new.conversation_id as contained
    into r;
  else
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
      u as rule,
      (
        select k from tool_recall.capture_rules as k where k.tool_name = new.tool_name
      ) as capture
    into r
    from tool_recall.settings as s
      left join lateral tool_recall._summary_rule(new.tool_name, new.tool_input) as u on true
    where s.only_row;
  end if;
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

  if v_finished then
    return new;
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

  v_capture := r.capture;
  if v_capture.store is not null then
    if v_capture.store = 'none' then
      perform tool_recall._count_tool('tool_results_not_stored_total', new.tool_name, 1);
      return null;
    end if;
    select * into c
    from tool_recall._captured(v_capture.searches, new.tool_input, new.tool_output);
    new.tool_input := c.tool_input;
    new.tool_output := c.tool_output;
    if c.redacted > 0 then
      new.repairs := tool_recall._add_repair(new.repairs, 'redacted', c.redacted);
    end if;
    v_failed := c.failed;
    -- As a later refresh will choose it, from what is stored.
    r.rule := (
      select u from tool_recall._summary_rule(new.tool_name, new.tool_input) as u
    );
  end if;

  v_summary := tool_recall._summarize(
    r.rule, new.tool_input, new.tool_output, new.is_error, r.quote_free_text);
  new.recall_line := coalesce(tool_recall._render_line(
    new.created_at, new.tool_name, new.tool_input, v_summary, r.time_zone, r.quote_free_text), '');
  if v_failed then
    new.recall_line := '';
  end if;
  new.recall_tokens := tool_recall._line_tokens(new.recall_line);
  if v_failed or v_capture.store = 'line' then
    new.tool_output := tool_recall._not_stored();
    new.repairs := tool_recall._add_repair(new.repairs, 'not_stored');
  end if;

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
  'Before insert: checks ownership (TR001) and the row (TR002), applies the tool''s capture '
  'rule, writes its line, fits its size. A row that the owner loads with its line (from a dump) is '
  'kept as it is';

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
