-- Runs first, on every install and upgrade. Changes nothing that already exists.
do $prologue$
begin
  -- Before all else: with the caller's search_path an operator of another schema could answer.
  perform
    pg_catalog.set_config(
      'tool_recall._saved_search_path', pg_catalog.current_setting('search_path'), true),
    pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
  if pg_catalog.current_setting('server_version_num')::int < 140000 then
    raise exception using errcode = '0A000',
      message = 'pg_tool_recall needs PostgreSQL 14 or newer, this server is '
        || pg_catalog.current_setting('server_version');
  end if;
  if pg_catalog.getdatabaseencoding() <> 'UTF8' then
    raise exception using errcode = '0A000',
      message = 'pg_tool_recall needs a database in UTF8, this one is in '
        || pg_catalog.getdatabaseencoding(),
      hint = 'Write it out with pg_dump --encoding=UTF8, make a new one (create database NAME template '
        'template0 encoding UTF8), read it in there and install.';
  end if;

  -- One installer at a time; taken before lock_timeout is set, so that a second one waits for the
  -- first.
  perform pg_catalog.pg_advisory_xact_lock(1953653091, -1);

  -- Settings for this transaction only; the epilogue puts the caller's values back, since a
  -- migration tool may run more scripts in the same transaction.
  perform
    pg_catalog.set_config(
      'tool_recall._saved_client_min_messages',
      pg_catalog.current_setting('client_min_messages'), true),
    pg_catalog.set_config(
      'tool_recall._saved_lock_timeout', pg_catalog.current_setting('lock_timeout'), true),
    -- %type argument types are resolved with a notice each.
    pg_catalog.set_config('client_min_messages', 'warning', true);
  -- Waiting for a lock on a host table makes every later query on that table wait too: give up
  -- early.
  if pg_catalog.current_setting('lock_timeout') = '0' then
    perform pg_catalog.set_config('lock_timeout', '5s', true);
  end if;
  if pg_catalog.current_setting('standard_conforming_strings') <> 'on' then
    raise exception using errcode = '0A000',
      message = 'pg_tool_recall needs standard_conforming_strings = on, the default';
  end if;

  -- "if not exists" would need the CREATE privilege even where the schema is there.
  if pg_catalog.to_regnamespace('tool_recall') is null then
    create schema tool_recall;
    comment on schema tool_recall is
      'pg_tool_recall: dated snapshots of tool results and the block that recalls them';
  end if;
  if pg_catalog.to_regclass('tool_recall._migrations') is null then
    create table tool_recall._migrations (
      name text primary key,
      sha256 text not null,
      version text not null,
      applied_at timestamptz not null default pg_catalog.clock_timestamp()
    );
    comment on table tool_recall._migrations is
      'Ledger: each migration that was applied, the SHA-256 of its text and the version that '
      'brought it';
  end if;
end
$prologue$;
