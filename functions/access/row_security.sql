-- What row security goes by. Text that is no key is nobody: it must not raise, in which case an
-- error would tell apart what a query that shows nothing does not.
create or replace function tool_recall._setting_user_id()  -- noqa: PRS
returns tool_recall.message_tool_results.user_id%type
language plpgsql stable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  v_text text := nullif(current_setting('tool_recall.user_id', true), '');
  v_id tool_recall.message_tool_results.user_id%type;
  v_is_key boolean;
begin
  v_is_key := case pg_typeof(v_id)
    when 'uuid'::regtype then v_text ~* (
      '^([0-9a-f]{4}(-?[0-9a-f]{4}){7}|[{][0-9a-f]{4}(-?[0-9a-f]{4}){7}[}])$' collate "C")
    when 'bigint'::regtype then
      case
        when v_text ~ '^\s*[+-]?[0-9]{1,19}\s*$' collate "C"
          then v_text::numeric between -9223372036854775808 and 9223372036854775807
      end
    else true
  end;
  if v_is_key then
    -- As the key's type reads it.
    select r.user_id into v_id
    from jsonb_populate_record(
      null::tool_recall.message_tool_results, jsonb_build_object('user_id', v_text)) as r;
  end if;
  return v_id;
end
$$;
comment on function tool_recall._setting_user_id() is
  'The user that the setting tool_recall.user_id names; null where it is unset, empty or no key';

create or replace function tool_recall._refuse_user() returns void
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception using errcode = 'TR001',
    message = 'row security is on, and tool_recall.user_id is not set to this user',
    hint = 'In the same transaction, before: '
      'select set_config(''tool_recall.user_id'', ''<user_id>'', true);';
end
$$;
comment on function tool_recall._refuse_user() is
  'Raises TR001: the setting tool_recall.user_id names nobody, or somebody else';

create or replace function tool_recall._check_setting_user(
  user_id tool_recall.message_tool_results.user_id%type
) returns void
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
begin
  if user_id is distinct from tool_recall._setting_user_id() then
    perform tool_recall._refuse_user();
  end if;
end
$$;
comment on function tool_recall._check_setting_user is
  'Refuses (TR001) any user but the one that the setting tool_recall.user_id names';

create or replace function tool_recall._has_row_security() returns boolean
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select c.relrowsecurity from pg_class as c
  where c.oid = 'tool_recall.message_tool_results'::regclass
$$;
comment on function tool_recall._has_row_security() is
  'Whether row security is on for the table of results, whoever asks';

create or replace function tool_recall._warn_of_the_unbound() returns void
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_granted boolean := false;
  r record;
begin
  for r in
    select distinct
      g.rolname, g.rolsuper or g.rolbypassrls as bypasses, pg_has_role(g.oid, c.relowner,
      'usage') as owns
    from pg_class as c
      cross join lateral aclexplode(c.relacl) as a
      join pg_roles as g on g.oid = a.grantee
    where c.oid = 'tool_recall.message_tool_results'::regclass and a.grantee <> c.relowner
  loop
    v_granted := true;
    if r.bypasses or r.owns then
      raise warning using
        message = format('row security does not bind role %I, which %s', r.rolname,
          case when r.bypasses then 'bypasses it (SUPERUSER or BYPASSRLS)'
            else 'has the privileges of the owner of tool_recall.message_tool_results' end),
        hint = 'Let the chat service connect as a role that is neither.';
    end if;
  end loop;
  if not v_granted then
    raise warning using
      message = 'row security binds nobody: only the owner may read '
      'tool_recall.message_tool_results',
      hint = 'Let the chat service connect as a role of its own: select '
      'tool_recall.grant_app(''<role>'');';
  end if;
end
$$;
comment on function tool_recall._warn_of_the_unbound() is
  'Warns of each role that may read or add results and is not bound by row security';

-- The lock is taken only where something is to be changed, and not waited for longer than 5
-- seconds:
-- whoever comes meanwhile waits behind it.
create or replace function tool_recall.enable_row_security() returns void
language plpgsql
set search_path = pg_catalog, pg_temp
set lock_timeout = '5s'
as $$
begin
  if not exists (
    select
    from pg_class as c join pg_policy as p on p.polrelid = c.oid and p.polname = 'own_rows'
    where c.oid = 'tool_recall.message_tool_results'::regclass
      and c.relrowsecurity and not c.relforcerowsecurity
  ) then
    lock table tool_recall.message_tool_results in access exclusive mode;
    -- The subquery is evaluated once a statement, and its result sought in an index.
    drop policy if exists own_rows on tool_recall.message_tool_results;
    create policy own_rows on tool_recall.message_tool_results
    using (user_id = (select tool_recall._setting_user_id()));
    comment on policy own_rows on tool_recall.message_tool_results is
      'Only rows of the user that the setting tool_recall.user_id names; made by '
      'enable_row_security';
    -- Not FORCE: the trigger functions, which run as the owner, would see nothing to trim.
    alter table tool_recall.message_tool_results
    enable row level security, no force row level security;
  end if;
  perform tool_recall._warn_of_the_unbound();
end
$$;
comment on function tool_recall.enable_row_security() is
  'Turns row security on for message_tool_results: roles see and add only rows of the user that '
  'the '
  'transaction-local setting tool_recall.user_id names, none where it is unset, empty or no key. '
  'The owner and superusers are not bound; it warns of roles with grants that are neither. Kept '
  'over '
  'upgrades. Takes ACCESS EXCLUSIVE on the table until commit where it is not on already, and '
  'fails (55P03) after waiting 5 seconds for it';

create or replace function tool_recall.disable_row_security() returns void
language plpgsql
set search_path = pg_catalog, pg_temp
set lock_timeout = '5s'
as $$
begin
  if tool_recall._has_row_security() or exists (
    select from pg_policy as p
    where p.polrelid = 'tool_recall.message_tool_results'::regclass and p.polname = 'own_rows'
  ) then
    alter table tool_recall.message_tool_results disable row level security;
    drop policy if exists own_rows on tool_recall.message_tool_results;
  end if;
end
$$;
comment on function tool_recall.disable_row_security() is
  'Turns row security off again; without effect where it is off. Takes ACCESS EXCLUSIVE on '
  'message_tool_results until commit where it is on, and fails (55P03) after waiting 5 seconds '
  'for it';
