-- What each kind of role may do beside USAGE on the schema: the one list that grants, upgrades and
-- docs/roles.md go by. Recording and recall run as their caller, so a role needs the functions that
-- they call in turn as well.
create or replace function tool_recall._privileges(kind text)
returns table (object name, privilege text)
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select p.proname, 'execute'
  from pg_proc as p
  where p.pronamespace = 'tool_recall'::regnamespace and p.prorettype <> 'trigger'::regtype
    and case kind
      when 'reader' then p.proname = any (array[
        'version', 'recall_block', 'recall_lines', 'recall_tool_results', 'recall_tool_result',
        '_recall_block', '_recall_candidates', '_recall_rows', '_is_repeated', '_block_header',
        '_block_instruction', '_block_copy_tokens', '_setting_user_id'
      ])
      when 'operator' then p.proname = any (array[
        'version', 'purge_expired', '_purge_expired_batch', '_purge_over_cap_batch',
        '_fold_counters', '_note_purge', '_scheduler', '_is_exact'
      ])
      -- All but what only the owner, an operator or a trigger calls.
      when 'app' then p.prokind = 'f' and p.proname <> all (array[
        'grant_app', 'grant_reader', 'grant_operator', 'revoke_all', '_privileges', '_grant',
        '_grantee', '_grantees', '_restore_grants', 'set_summary_rule', 'drop_summary_rule',
        'preview_summary_rule', '_new_rule', '_check_path', 'set_capture_rule',
        'drop_capture_rule', '_parse_redact_path', '_compile_redact_paths', '_set_bit', '_count',
        '_count_tool', '_fold_counters', '_split_paths', '_parse_placeholder', '_parse_template',
        'schedule_retention', 'unschedule_retention', '_retention_command', '_without_pg_cron',
        '_scheduler', '_delete_unlocked', '_load_vocabulary', '_purge_expired_batch',
        '_purge_over_cap_batch', '_note_purge', '_refresh_batch', '_current_line',
        'enable_row_security', 'disable_row_security', '_has_row_security',
        '_warn_of_the_unbound', '_text_pattern', '_value_search', '_erase_batch', '_without_value'
      ])
    end
  union all
  select t.object, t.privilege
  from (values
    ('app', 'message_tool_results', 'select'),
    ('app', 'message_tool_results', 'insert'),
    ('app', 'settings', 'select'),
    ('app', 'summary_rules', 'select'),
    ('app', 'capture_rules', 'select'),
    ('app', '_vocabulary', 'select'),
    ('app', '_vocabulary_state', 'select'),
    ('reader', 'message_tool_results', 'select'),
    ('reader', 'settings', 'select'),
    ('operator', 'metrics', 'select'),
    ('operator', 'status', 'select'),
    ('operator', '_vocabulary_state', 'select')
  ) as t (kind, object, privilege)
  where t.kind = _privileges.kind
$$;
comment on function tool_recall._privileges(text) is
  'What grant_app, grant_reader and grant_operator grant, beside USAGE on the schema';

-- The name of a role that may be granted to, or have its grants revoked.
create or replace function tool_recall._grantee(role regrole) returns name
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_owner oid := (select n.nspowner from pg_namespace as n where n.nspname = 'tool_recall');
  v_role name := (select r.rolname from pg_roles as r where r.oid = role);
begin
  if v_role is null then
    raise exception using errcode = '22023', message = 'role names no role',
      hint = 'Name one role, such as ''chat_service''; nothing is granted to PUBLIC.';
  elsif role = v_owner then
    raise exception using errcode = '22023',
      message = format('role %I owns the schema tool_recall and may do everything', v_role),
      hint = 'Name the role that the chat service, a reader or an operator connects as.';
  end if;
  return v_role;
end
$$;
comment on function tool_recall._grantee(regrole) is
  'The role''s name; 22023 where there is no such role, or where it owns the schema';

create or replace function tool_recall._grant(kind text, role regrole) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  v_role name := tool_recall._grantee(role);
  v_privilege record;
begin
  execute format('grant usage on schema tool_recall to %I', v_role);
  for v_privilege in select p.object, p.privilege from tool_recall._privileges(kind) as p loop
    if v_privilege.privilege = 'execute' then
      execute format('grant execute on routine tool_recall.%I to %I', v_privilege.object, v_role);
    elsif v_privilege.privilege = 'select' then
      execute format('grant select on tool_recall.%I to %I', v_privilege.object, v_role);
    else
      execute format('grant insert on tool_recall.%I to %I', v_privilege.object, v_role);
    end if;
  end loop;
end
$$;
comment on function tool_recall._grant(text, regrole) is
  'Grants a role what its kind may do';

create or replace function tool_recall.grant_app(role regrole) returns void
language sql
set search_path = pg_catalog, pg_temp
as $$ select tool_recall._grant('app', role) $$;
comment on function tool_recall.grant_app(regrole) is
  'Lets the chat service''s role record, recall and forget: USAGE on the schema, SELECT and '
  'INSERT on message_tool_results, SELECT on settings, summary_rules, capture_rules and the '
  'vocabulary, EXECUTE on the functions for that and no others. Kept over upgrades. 22023: no '
  'such role, or it owns the schema';

create or replace function tool_recall.grant_reader(role regrole) returns void
language sql
set search_path = pg_catalog, pg_temp
as $$ select tool_recall._grant('reader', role) $$;
comment on function tool_recall.grant_reader(regrole) is
  'Lets a role recall and no more: USAGE on the schema, SELECT on message_tool_results and '
  'settings, EXECUTE on the recall functions. It sees every user''s rows unless row security is '
  'on. Kept over upgrades. 22023: no such role, or it owns the schema';

create or replace function tool_recall.grant_operator(role regrole) returns void
language sql
set search_path = pg_catalog, pg_temp
as $$ select tool_recall._grant('operator', role) $$;
comment on function tool_recall.grant_operator(regrole) is
  'Lets a role run purge_expired and read metrics and status: it sees no tool result and deletes '
  'none that is not due. Kept over upgrades. 22023: no such role, or it owns the schema';

create or replace function tool_recall.revoke_all(role regrole) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  v_role name := tool_recall._grantee(role);
begin
  execute format('revoke all on all routines in schema tool_recall from %I', v_role);
  execute format('revoke all on all tables in schema tool_recall from %I', v_role);
  execute format('revoke all on all sequences in schema tool_recall from %I', v_role);
  execute format('revoke all on schema tool_recall from %I', v_role);
end
$$;
comment on function tool_recall.revoke_all(regrole) is
  'Takes from a role all that it was granted in the schema tool_recall; what it has by membership '
  'in another role stays. 22023: no such role, or it owns the schema';

create or replace function tool_recall._grantees(kind text) returns setof regrole
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  -- A role is known by what its kind alone may do. An app role reads too; it is no reader.
  select a.grantee::regrole
  from pg_proc as p cross join lateral aclexplode(p.proacl) as a
  where p.pronamespace = 'tool_recall'::regnamespace
    and p.proname = case kind
      when 'app' then 'record_tool_result'
      when 'reader' then 'recall_block'
      when 'operator' then 'purge_expired'
    end
    and a.privilege_type = 'EXECUTE' and a.grantee not in (0, p.proowner)
    and (kind <> 'reader' or a.grantee not in (
      select g::oid from tool_recall._grantees('app') as g
    ))
$$;
comment on function tool_recall._grantees(text) is
  'The roles that have what a kind of role may do, told by the privileges themselves: they '
  'follow a role that is renamed, and are part of every dump';

create or replace function tool_recall._restore_grants() returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  v_kind text;
  v_role regrole;
begin
  foreach v_kind in array array['app', 'reader', 'operator'] loop
    for v_role in select g from tool_recall._grantees(v_kind) as g loop
      perform tool_recall._grant(v_kind, v_role);
    end loop;
  end loop;
end
$$;
comment on function tool_recall._restore_grants() is
  'Grants again, after an upgrade, what each role has by its kind: the functions that are new';
