create or replace function tool_recall._most_tokens(value text) returns integer
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
begin
  -- Bytes never undercount. Digits stand in tokens of up to three, and a line's own marks in one.
  -- Any three of the letters below take at most two tokens, since all pairs of them but four are
  -- tokens of their own, and so do two of them behind one of these five signs; the letters left out
  -- (j, q, x, z) often stand alone. Measured against tiktoken over every string of up to four
  -- lower-case letters.
  return octet_length(regexp_replace(
    regexp_replace(value, '[0-9]{1,3}|="|"[)]:|",|[)]:' collate "C", '0', 'g'),
    '[ _(.a-ik-pr-wy-][a-ik-pr-wy]{2}' collate "C", 'aa', 'g'));
end
$$;
comment on function tool_recall._most_tokens(text) is
  'Never fewer than the tokens of the text in cl100k_base, without its vocabulary';

create or replace function tool_recall._is_exact() returns boolean
language sql stable parallel safe
return exists (select from tool_recall._vocabulary_state);
comment on function tool_recall._is_exact() is
  'Whether the whole vocabulary is loaded, so that token counts are exact';

create or replace function tool_recall.count_tokens(value text) returns integer
language plpgsql stable parallel safe
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
as $$
declare
  -- Not within the query, which would be planned anew for each text.
  v_pieces text[] := tool_recall._split_pieces(value);
  v_others text[];
  v_exact boolean;
  v_count integer;
begin
  -- Most pieces are tokens as they are; a single character of ASCII always is.
  select
    array(
      select p.piece
      from unnest(v_pieces) as p (piece)
      where octet_length(p.piece) > 1 and not exists (
        select from tool_recall._vocabulary as v where v.token = convert_to(p.piece, 'UTF8')
      )
    ),
    (select true from tool_recall._vocabulary_state)
  into v_others, v_exact;
  v_count := cardinality(v_pieces) - cardinality(v_others);
  if v_others = '{}' then
    return case when value is not null then v_count end;
  elsif v_exact then
    return v_count + (
      select sum(tool_recall._merged_tokens(o.piece))
      from unnest(v_others) as o (piece)
    );
  end if;
  -- Less the line breaks that keep the pieces apart.
  return v_count + tool_recall._most_tokens(array_to_string(v_others, E'\n'))
    - cardinality(v_others) + 1;
end
$$;
comment on function tool_recall.count_tokens(text) is
  'Tokens of the text in cl100k_base: exactly as tiktoken counts them (text that looks like a '
  'special token is text) once the vocabulary is loaded, else an estimate that is never below '
  'that; tool_recall.status.vocabulary says which. 0 for an empty text, null for null';
