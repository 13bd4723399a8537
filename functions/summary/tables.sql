create or replace function tool_recall._column_names(columns jsonb) returns text[]
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
begin
  return array(
    select case
      when jsonb_typeof(e.value) = 'object'
        then coalesce(e.value ->> 'name', e.value ->> 'field', e.value ->> 'key', '')
      else coalesce(e.value #>> '{}', '')
    end
    from jsonb_array_elements(columns) with ordinality as e (value, place)
    order by e.place
  );
end
$$;
comment on function tool_recall._column_names(jsonb) is
  'The names in a list of columns, which are texts or objects';

create or replace function tool_recall._table_rows(value jsonb) returns jsonb
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  v_rows jsonb := coalesce(value -> 'rows', value -> 'data', value -> 'values', value -> 'records');
  v_columns jsonb := coalesce(
    value -> 'columns', value -> 'fields', value -> 'headers', value -> 'header',
    value #> '{schema,fields}', value -> 'schema');
begin
  if jsonb_typeof(v_rows) is distinct from 'array'
    or jsonb_typeof(v_columns) is distinct from 'array' then
    return null;
  end if;
  if jsonb_typeof(v_rows -> 0) is distinct from 'array' then
    return v_rows;
  end if;
  -- As objects, so that a column is a field like any other.
  return (
    select jsonb_agg(
      (
        select coalesce(jsonb_object_agg(c.name, r.value -> (c.place - 1)::integer), '{}')
        from unnest(tool_recall._column_names(v_columns)) with ordinality as c (name, place)
        where c.name <> ''
      ) order by r.place)
    from jsonb_array_elements(v_rows) with ordinality as r (value, place)
  );
end
$$;
comment on function tool_recall._table_rows(jsonb) is
  'The rows of a table that is given as columns and rows, each as an object; null where it is none';
