-- Reads the host's tables once: which they are, their keys, who owns a conversation.
-- Locks: ACCESS SHARE on the host tables, until commit. Rewrite: no. Breaking: no.
-- Runs: before functions.
--
-- What is learned is kept as two views (parsed, so that they follow renames), as the types of the
-- table _keys, and, until the foreign keys exist, as the rows of the table _binding.

create table tool_recall._binding (
  part text primary key,
  schema_name name not null,
  table_name name not null,
  key_column name not null,
  key_type name not null,
  key_collation oid not null
);

-- The table that a setting names, or null for ''. TR005 when it cannot be used.
create function tool_recall._bind_table(part text) returns regclass
language plpgsql set search_path = pg_catalog, pg_temp
as $$
declare
  v_setting text := 'tool_recall.' || part;
  v_name text := coalesce(current_setting(v_setting, true), part);
  v_table regclass;
  v_kind "char";
  v_persistence "char";
begin
  if v_name = '' then
    return null;
  end if;
  perform set_config('search_path', coalesce(
    nullif(current_setting('tool_recall._saved_search_path', true), ''),
    current_setting('search_path')
  ), true);
  begin
    v_table := pg_catalog.to_regclass(v_name);
  exception when others then
    raise exception using errcode = 'TR005',
      message = pg_catalog.format('%I is not a table name: %L', v_setting, v_name),
      hint = pg_catalog.format('set %s = ''schema.table'' before the installation.', v_setting);
  end;
  perform pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
  if v_table is null then
    raise exception using errcode = 'TR005',
      message = format('table %L does not exist (setting %s)', v_name, v_setting),
      hint = format('set %s = ''schema.table'' before the installation.', v_setting);
  end if;
  select c.relkind, c.relpersistence into v_kind, v_persistence
  from pg_class c where c.oid = v_table;
  if v_kind not in ('r', 'p') or v_persistence <> 'p' then
    raise exception using errcode = 'TR005',
      message = format('%s is not a permanent table (setting %s)', v_table, v_setting),
      hint = 'A foreign key can only reference a permanent, logged table.';
  end if;
  if not has_table_privilege(v_table, 'select')
    or not has_table_privilege(v_table, 'references')
  then
    raise exception using errcode = 'TR005',
      message = format('role %I may not read and reference %s (setting %s)',
        current_user, v_table, v_setting),
      hint = format('grant select, references on %s to %I;', v_table, current_user);
  end if;
  if row_security_active(v_table) then
    raise exception using errcode = 'TR005',
      message = format('row security hides rows of %s from role %I (setting %s)',
        v_table, current_user, v_setting),
      hint = 'Install as the owner of the table (without FORCE ROW LEVEL SECURITY) or as a role '
        'with BYPASSRLS: ownership of every conversation must be visible to the check.';
  end if;
  return v_table;
end
$$;

-- The single-column primary key of a table.
create function tool_recall._primary_key(relation regclass, setting text) returns smallint
language plpgsql set search_path = pg_catalog, pg_temp
as $$
declare
  v_columns smallint[];
begin
  select i.indkey::smallint[] into v_columns
  from pg_index i where i.indrelid = relation and i.indisprimary;
  if v_columns is null or array_length(v_columns, 1) <> 1 then
    raise exception using errcode = 'TR005',
      message = format('%s has %s (setting %s)', relation,
        case when v_columns is null then 'no primary key' else 'a composite primary key' end,
        setting),
      hint = 'A single-column primary key is needed for the foreign key'
        || case when setting = 'tool_recall.conversations' then '.' else format(
          '; set %s = '''' to go without one.', setting) end;
  end if;
  return v_columns[0];
end
$$;

-- The column of one host table that references another, and the column that it references.
create function tool_recall._reference(
  relation regclass, target regclass, part text,
  out source_column smallint, out target_column smallint
)
language plpgsql set search_path = pg_catalog, pg_temp
as $$
declare
  v_setting text := 'tool_recall.' || part;
  v_name text := nullif(current_setting(v_setting, true), '');
  v_parts text[];
  v_count bigint;
begin
  if v_name is not null then
    begin
      v_parts := parse_ident(v_name);
    exception when others then
      v_parts := null;
    end;
    select a.attnum into source_column from pg_attribute a
    where a.attrelid = relation and a.attname = v_parts[1] and array_length(v_parts, 1) = 1
      and a.attnum > 0 and not a.attisdropped;
    if source_column is null then
      raise exception using errcode = 'TR005',
        message = format('%s has no column %L (setting %s)', relation, v_name, v_setting),
        hint = 'Name one column, quoted if its name is in mixed case.';
    end if;
  end if;
  if target is null then
    -- Accounts live elsewhere: no foreign key tells the owner's column.
    if source_column is null then
      select a.attnum into source_column from pg_attribute a
      where a.attrelid = relation and a.attname = 'user_id' and a.attnum > 0 and not a.attisdropped;
    end if;
    if source_column is null then
      raise exception using errcode = 'TR005',
        message = format('%s has no column "user_id" (setting %s)', relation, v_setting),
        hint = format('set %s to the column that holds the owner.', v_setting);
    end if;
    return;
  end if;
  select count(distinct f.conkey), min(f.conkey[1]), min(f.confkey[1])
  into v_count, source_column, target_column
  from pg_constraint f
  where f.contype = 'f' and f.conrelid = relation and f.confrelid = target
    and array_length(f.conkey, 1) = 1 and f.conkey[1] = coalesce(source_column, f.conkey[1]);
  if v_count > 1 then
    raise exception using errcode = 'TR005',
      message = format('%s references %s by more than one column (setting %s)',
        relation, target, v_setting),
      hint = format('set %s to the right one.', v_setting);
  end if;
  if v_count = 0 then
    if v_name is null then
      raise exception using errcode = 'TR005',
        message = format('no column of %s references %s (setting %s)', relation, target, v_setting),
        hint = format('set %s to the column that holds the key of %s.', v_setting, target);
    end if;
    select a.attnum into source_column from pg_attribute a
    where a.attrelid = relation and a.attname = v_parts[1];
  end if;
end
$$;

-- Keeps one key in _binding, its type reduced to one of the three that serve all hosts.
create function tool_recall._bind_key(
  part text, relation regclass, key_number smallint, setting text
) returns name
language plpgsql set search_path = pg_catalog, pg_temp
as $$
declare
  v_type name;
begin
  select
    case t.oid
      when 'int2'::regtype then 'int8'
      when 'int4'::regtype then 'int8'
      when 'int8'::regtype then 'int8'
      when 'uuid'::regtype then 'uuid'
      when 'text'::regtype then 'text' when 'varchar'::regtype then 'text'
    end
  into v_type
  from pg_attribute a join pg_type t on t.oid = a.atttypid
  where a.attrelid = relation and a.attnum = key_number;
  if v_type is null then
    raise exception using errcode = 'TR005',
      message = (
        select format('%s.%I is of type %s, which is not supported (setting %s)',
          relation, a.attname, format_type(a.atttypid, a.atttypmod), setting)
        from pg_attribute a where a.attrelid = relation and a.attnum = key_number
      ),
      hint = 'Supported keys: uuid, smallint, integer, bigint, text, varchar.';
  end if;
  insert into tool_recall._binding
  select part, n.nspname, c.relname, a.attname, v_type, a.attcollation
  from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum = key_number
  where c.oid = relation;
  return v_type;
end
$$;

do $binding$
declare
  v_users regclass := tool_recall._bind_table('users');
  v_conversations regclass := tool_recall._bind_table('conversations');
  v_messages regclass := tool_recall._bind_table('messages');
  v_owner record;
  v_parent record;
  v_owner_type name;
  v_user_type name;
  v_key smallint;
  v_key_type name;
  v_parent_type name;
  r record;
begin
  if v_conversations is null then
    raise exception using errcode = 'TR005',
      message = 'tool_recall.conversations is empty: the conversations table is always needed',
      hint = 'set tool_recall.conversations = ''schema.table'' before the installation.';
  end if;

  select * into v_owner
  from tool_recall._reference(v_conversations, v_users, 'conversations_user_id');
  v_owner_type := tool_recall._bind_key(
    'owner', v_conversations, v_owner.source_column, 'tool_recall.conversations_user_id');
  if v_users is not null then
    v_user_type := tool_recall._bind_key('users', v_users,
      coalesce(v_owner.target_column, tool_recall._primary_key(v_users, 'tool_recall.users')),
      'tool_recall.users');
    if v_user_type <> v_owner_type then
      raise exception using errcode = 'TR005',
        message = pg_catalog.format('the owner of %s is of another type than the key of %s '
          '(setting tool_recall.conversations_user_id)', v_conversations, v_users),
        hint = 'Name the column that holds the key of the users table.';
    end if;
  end if;

  if v_messages is not null then
    select * into v_parent
    from tool_recall._reference(v_messages, v_conversations, 'messages_conversation_id');
    v_key := v_parent.target_column;
  end if;
  v_key := coalesce(v_key, tool_recall._primary_key(v_conversations, 'tool_recall.conversations'));
  v_key_type := tool_recall._bind_key(
    'conversations', v_conversations, v_key, 'tool_recall.conversations');
  if v_messages is not null then
    perform tool_recall._bind_key('messages', v_messages,
      tool_recall._primary_key(v_messages, 'tool_recall.messages'), 'tool_recall.messages');
    v_parent_type := tool_recall._bind_key(
      'parent', v_messages, v_parent.source_column, 'tool_recall.messages_conversation_id');
    if v_parent_type <> v_key_type then
      raise exception using errcode = 'TR005',
        message = pg_catalog.format('the conversation of %s is of another type than the key of %s '
          '(setting tool_recall.messages_conversation_id)', v_messages, v_conversations),
        hint = 'Name the column that holds the key of the conversations table.';
    end if;
  end if;

  -- The key columns of our tables, in the order that the results table has them. Without a messages
  -- table a message's key is taken to be of the conversations' type.
  create table tool_recall._keys ();
  for r in
    select k.column_name, b.key_type, c.collname, n.nspname
    from (values
      (1, 'user_id', case when v_users is null then 'owner' else 'users' end),
      (2, 'message_id', case when v_messages is null then 'conversations' else 'messages' end),
      (3, 'conversation_id', 'conversations')
    ) as k (place, column_name, part)
      join tool_recall._binding b on b.part = k.part
      left join pg_catalog.pg_collation c on c.oid = b.key_collation and b.key_type = 'text'
      left join pg_catalog.pg_namespace n on n.oid = c.collnamespace
    order by k.place
  loop
    if r.collname is null then
      execute pg_catalog.format(
        'alter table tool_recall._keys add column %I pg_catalog.%I not null',
        r.column_name, r.key_type);
    else
      execute pg_catalog.format(
        'alter table tool_recall._keys add column %I pg_catalog.%I collate %I.%I not null',
        r.column_name, r.key_type, r.nspname, r.collname);
    end if;
  end loop;

  execute (
    select pg_catalog.format(
      'create view tool_recall._host_conversations as '
      'select h.%I as conversation_id, h.%I as user_id from %I.%I as h',
      c.key_column, o.key_column, c.schema_name, c.table_name)
    from tool_recall._binding c, tool_recall._binding o
    where c.part = 'conversations' and o.part = 'owner'
  );
  if v_messages is null then
    execute pg_catalog.format(
      'create view tool_recall._host_messages as '
      'select cast(null as pg_catalog.%I) as message_id, h.conversation_id '
      'from tool_recall._host_conversations as h', v_key_type);
  else
    execute (
      select pg_catalog.format(
        'create view tool_recall._host_messages as '
        'select h.%I as message_id, h.%I as conversation_id from %I.%I as h',
        m.key_column, p.key_column, m.schema_name, m.table_name)
      from tool_recall._binding m, tool_recall._binding p
      where m.part = 'messages' and p.part = 'parent'
    );
  end if;
end
$binding$;

comment on view tool_recall._host_conversations is
  'The host''s conversations and their owners, as bound at installation; follows renames';
comment on view tool_recall._host_messages is
  'The host''s messages and their conversations; message_id is null where no messages table is '
  'bound, and then any message is accepted';

drop function tool_recall._bind_key(text, regclass, smallint, text);
drop function tool_recall._reference(regclass, regclass, text);
drop function tool_recall._primary_key(regclass, text);
drop function tool_recall._bind_table(text);
