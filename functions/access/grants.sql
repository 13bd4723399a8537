create or replace function tool_recall.grant_app(role regrole) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  v_role name := (select r.rolname from pg_roles as r where r.oid = role);
  v_function name;
begin
  execute format('grant usage on schema tool_recall to %I', v_role);
  execute format('grant select, insert on tool_recall.message_tool_results to %I', v_role);
  execute format('grant select on tool_recall.settings, tool_recall.summary_rules, '
    'tool_recall._vocabulary, tool_recall._vocabulary_state, tool_recall.capture_rules to %I',
    v_role);
  -- Recording and recall run as their caller, and so do the functions that they call in turn. What
  -- only the owner or a trigger calls is not here.
  for v_function in
    select p.proname
    from pg_proc as p
    where p.pronamespace = 'tool_recall'::regnamespace and p.prokind = 'f'
      and p.prorettype <> 'trigger'::regtype
      and p.proname <> all (array[
        'grant_app', '_restore_grants', 'set_summary_rule', 'drop_summary_rule',
        'preview_summary_rule', '_new_rule', '_check_path', 'set_capture_rule', 'drop_capture_rule',
        '_parse_redact_path', '_compile_redact_paths', '_set_bit', '_count', '_count_tool',
        '_fold_counters',
        '_split_paths', '_parse_placeholder', '_parse_template', 'schedule_retention',
        'unschedule_retention', '_retention_command', '_without_pg_cron', '_scheduler',
        '_delete_unlocked', '_load_vocabulary', '_purge_expired_batch', '_purge_over_cap_batch',
        '_refresh_batch'
      ])
  loop
    execute format('grant execute on function tool_recall.%I to %I', v_function, v_role);
  end loop;
end
$$;
comment on function tool_recall.grant_app(regrole) is
  'Lets the chat service''s role record, recall and forget: USAGE on the schema, SELECT and '
  'INSERT on message_tool_results, SELECT on settings, summary_rules, capture_rules and the '
  'vocabulary, EXECUTE on the functions for that and no others. Kept over upgrades';

create or replace function tool_recall._restore_grants() returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  v_role regrole;
begin
  -- Who may insert is an app role: it gets what this version adds.
  for v_role in
    select distinct a.grantee::regrole
    from pg_class as c cross join lateral aclexplode(c.relacl) as a
    where c.oid = 'tool_recall.message_tool_results'::regclass
      and a.privilege_type = 'INSERT' and a.grantee not in (0, c.relowner)
  loop
    perform tool_recall.grant_app(v_role);
  end loop;
end
$$;
comment on function tool_recall._restore_grants() is
  'Grants again, after an upgrade, what each app role has by grant_app';
