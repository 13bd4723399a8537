-- Unschedules the retention job, then drops everything of pg_tool_recall and nothing of the host's:
-- an object of the host that depends on ours (a view, say) stops it with an error that names that
-- object. Run as the installing role, in one transaction (psql -1 -f).
-- Locks: ACCESS EXCLUSIVE on users, conversations and messages for a moment, to remove the foreign
-- keys; set lock_timeout so as not to queue behind a long query.
do $uninstall$
declare
  v_search_path text := pg_catalog.current_setting('search_path');
  r record;
begin
  -- With the caller's an operator of another schema could answer.
  perform pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
  if pg_catalog.to_regnamespace('tool_recall') is null then
    raise notice 'pg_tool_recall is not installed here';
    perform pg_catalog.set_config('search_path', v_search_path, true);
    return;
  end if;
  perform tool_recall.unschedule_retention();
  for r in
    select c.relname
    from pg_catalog.pg_class c
    where c.relnamespace = 'tool_recall'::pg_catalog.regnamespace and c.relkind = 'v'
    order by c.relname
  loop
    execute pg_catalog.format('drop view tool_recall.%I', r.relname);
  end loop;
  for r in
    select t.tgname, c.relname
    from pg_catalog.pg_trigger t join pg_catalog.pg_class c on c.oid = t.tgrelid
    where c.relnamespace = 'tool_recall'::pg_catalog.regnamespace and not t.tgisinternal
    order by t.tgname
  loop
    execute pg_catalog.format('drop trigger %I on tool_recall.%I', r.tgname, r.relname);
  end loop;
  for r in
    select p.polname, c.relname
    from pg_catalog.pg_policy p join pg_catalog.pg_class c on c.oid = p.polrelid
    where c.relnamespace = 'tool_recall'::pg_catalog.regnamespace
    order by p.polname
  loop
    execute pg_catalog.format('drop policy %I on tool_recall.%I', r.polname, r.relname);
  end loop;
  -- All at once, since some depend on others.
  execute (
    select 'drop routine '
      || pg_catalog.string_agg(pg_catalog.format('tool_recall.%I', p.proname), ', ')
    from pg_catalog.pg_proc as p
    where p.pronamespace = 'tool_recall'::pg_catalog.regnamespace
  );
  for r in
    select c.relname
    from pg_catalog.pg_class c
    where c.relnamespace = 'tool_recall'::pg_catalog.regnamespace and c.relkind = 'r'
    order by c.relname
  loop
    execute pg_catalog.format('drop table tool_recall.%I', r.relname);
  end loop;
  drop type tool_recall.tool_result;
  drop type if exists tool_recall._redaction;
  drop schema tool_recall;
  perform pg_catalog.set_config('search_path', v_search_path, true);
end
$uninstall$;
