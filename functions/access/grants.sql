create or replace function tool_recall._restore_grants() returns void language plpgsql set search_path = pg_catalog, pg_temp as $$ begin end $$;
