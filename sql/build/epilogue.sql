-- Runs last, on every install and upgrade: privileges, and the caller's settings.
do $epilogue$
begin
  revoke all on all routines in schema tool_recall from public;
  perform tool_recall._restore_grants();

  -- Empty where the tool ran each statement in a transaction of its own: nothing to put back then.
  if pg_catalog.current_setting('tool_recall._saved_search_path', true) <> '' then
    perform
      pg_catalog.set_config(
        'lock_timeout', pg_catalog.current_setting('tool_recall._saved_lock_timeout'), true),
      pg_catalog.set_config(
        'client_min_messages',
        pg_catalog.current_setting('tool_recall._saved_client_min_messages'), true),
      pg_catalog.set_config(
        'search_path', pg_catalog.current_setting('tool_recall._saved_search_path'), true);
  end if;
end
$epilogue$;
