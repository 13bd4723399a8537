create or replace function tool_recall._left_bytes(value text, max_bytes integer) returns text
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  v_bytes bytea;
  v_length integer := max_bytes;
begin
  if octet_length(value) <= max_bytes then
    return value;
  end if;
  -- So many characters hold more bytes than are wanted: no need to convert the rest.
  v_bytes := convert_to(left(value, max_bytes + 1), 'UTF8');
  -- Back to the first byte of a character: those after it are 10xxxxxx.
  while v_length > 0 and get_byte(v_bytes, v_length) & 192 = 128 loop
    v_length := v_length - 1;
  end loop;
  return convert_from(substr(v_bytes, 1, v_length), 'UTF8');
end
$$;
comment on function tool_recall._left_bytes(text, integer) is
  'The longest start of the text that is at most max_bytes bytes of UTF-8, cut between characters';
