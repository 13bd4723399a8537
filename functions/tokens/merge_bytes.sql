create or replace function tool_recall._merged_tokens(piece bytea) returns integer
language plpgsql stable
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
as $$
#variable_conflict use_column
declare
  v_length integer := octet_length(piece);
  -- The longest token of the vocabulary has 128 bytes.
  v_most integer := least(v_length, 128);
  -- The rank of the token of j bytes from byte i on (from 0): at [i * v_most + j].
  v_known integer[] := array(
    select (
      select v.rank from tool_recall._vocabulary as v
      where v.token = substr(_merged_tokens.piece, s.start + 1, l.bytes)
        and l.bytes > 1 and s.start + l.bytes <= v_length
    )
    from generate_series(0, v_length - 1) as s (start)
      cross join generate_series(1, v_most) as l (bytes)
    order by s.start, l.bytes
  );
  -- Where each part starts, and at last where the piece ends.
  v_starts integer[] := array(select generate_series(0, v_length));
  -- The rank of each part joined with the next.
  v_ranks integer[] := array(
    select v_known[s.start * v_most + 2] from generate_series(0, v_length - 2) as s (start));
  v_rank integer;
  v_least integer;
  v_at integer;
  k integer;
begin
  loop
    v_least := null;
    k := 0;
    foreach v_rank in array v_ranks loop
      k := k + 1;
      if v_rank < v_least or v_rank is not null and v_least is null then
        v_least := v_rank;
        v_at := k;
      end if;
    end loop;
    exit when v_least is null;
    -- Of equal ranks the first: it takes in the part after it.
    v_starts := v_starts[:v_at] || v_starts[v_at + 2:];
    v_ranks := v_ranks[:v_at] || v_ranks[v_at + 2:];
    v_length := cardinality(v_starts) - 1;
    if v_at < v_length then
      v_ranks[v_at] := case when v_starts[v_at + 2] - v_starts[v_at] <= v_most
        then v_known[v_starts[v_at] * v_most + v_starts[v_at + 2] - v_starts[v_at]] end;
    else
      v_ranks := v_ranks[:v_at - 1];
    end if;
    if v_at > 1 then
      v_ranks[v_at - 1] := case when v_starts[v_at + 1] - v_starts[v_at - 1] <= v_most
        then v_known[v_starts[v_at - 1] * v_most + v_starts[v_at + 1] - v_starts[v_at - 1]] end;
    end if;
  end loop;
  return cardinality(v_starts) - 1;
end
$$;
comment on function tool_recall._merged_tokens(bytea) is
  'How many tokens byte-pair merging leaves of a piece: again and again the neighbours whose joint '
  'token has the lowest rank are joined. Time grows with the square of the length: for pieces of '
  'text, which are words, not for whole texts';
