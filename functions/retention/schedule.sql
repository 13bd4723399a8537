create or replace function tool_recall.unschedule_retention() returns text language plpgsql set search_path = pg_catalog, pg_temp as $$ begin return ''; end $$;
