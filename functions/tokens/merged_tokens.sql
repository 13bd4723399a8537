-- Byte-pair merging: of all neighbours that are a token together, those of the lowest rank become
-- one, the leftmost where ranks tie, until there are none.
create or replace function tool_recall._merged_tokens(piece text) returns integer
language plpgsql stable strict parallel safe
set search_path = pg_catalog, pg_temp
set jit = off
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  -- An array is changed in place only where the right side of the assignment does not name it.
  -- A pair of neighbours is its rank, then the place of its first byte; none is above all. The next
  -- one is found in a tree whose nodes hold the lowest of what is below them: n bytes take n log n
  -- steps.
  v_none constant bigint := 9223372036854775807;
  v_bytes constant bytea := convert_to(piece, 'UTF8');
  v_length constant integer := octet_length(v_bytes);
  v_tokens integer := v_length;
  v_leaves integer := 1;
  v_lowest bigint[];
  v_next integer[];
  v_previous integer[];
  v_here integer;
  v_there integer;
  v_behind integer;
  v_before integer;
  v_node integer;
  v_pair bigint;
begin
  while v_leaves < v_length loop
    v_leaves := v_leaves * 2;
  end loop;
  v_next := array(select n.place from generate_series(2, v_length + 1) as n (place));
  v_previous := array(select n.place from generate_series(0, v_length - 1) as n (place));
  v_lowest := array_fill(v_none, array[v_leaves - 1]) || array(
    select coalesce((
      select v.rank::bigint << 32 | n.place
      from tool_recall._vocabulary as v
      where v.token = substr(v_bytes, n.place, 2) and n.place < v_length
    ), v_none)
    from generate_series(1, v_length) as n (place)
  ) || array_fill(v_none, array[v_leaves - v_length]);
  for v_node in reverse v_leaves - 1..1 loop
    v_pair := least(v_lowest[2 * v_node], v_lowest[2 * v_node + 1]);
    v_lowest[v_node] := v_pair;
  end loop;

  while v_lowest[1] < v_none loop
    v_here := v_lowest[1] & 4294967295;
    v_there := v_next[v_here];
    v_behind := v_next[v_there];
    v_before := v_previous[v_here];
    v_next[v_here] := v_behind;
    v_previous[v_behind] := v_here;
    v_tokens := v_tokens - 1;
    v_lowest[v_leaves + v_there - 1] := v_none;
    -- The new token with the one behind it, and the one before with the new token.
    if v_behind <= v_length then
      v_pair := coalesce((
        select v.rank::bigint << 32 | v_here
        from tool_recall._vocabulary as v
        where v.token = substr(v_bytes, v_here, v_next[v_behind] - v_here)
      ), v_none);
    else
      v_pair := v_none;
    end if;
    v_lowest[v_leaves + v_here - 1] := v_pair;
    if v_before > 0 then
      v_pair := coalesce((
        select v.rank::bigint << 32 | v_before
        from tool_recall._vocabulary as v
        where v.token = substr(v_bytes, v_before, v_behind - v_before)
      ), v_none);
      v_lowest[v_leaves + v_before - 1] := v_pair;
    end if;
    -- What is above the leaves that changed, as far up as it changes.
    foreach v_node in array array[v_there, v_here, greatest(v_before, 1)] loop
      v_node := v_leaves + v_node - 1;
      while v_node > 1 loop
        v_node := v_node / 2;
        v_pair := least(v_lowest[2 * v_node], v_lowest[2 * v_node + 1]);
        exit when v_pair = v_lowest[v_node];
        v_lowest[v_node] := v_pair;
      end loop;
    end loop;
  end loop;
  return v_tokens;
end
$$;
comment on function tool_recall._merged_tokens(text) is
  'Tokens of a piece by byte-pair merging, of any length but one byte; needs the vocabulary';
