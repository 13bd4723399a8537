create or replace function tool_recall.count_tokens(value text) returns integer
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
comment on function tool_recall.count_tokens(text) is
  'Tokens of the text in cl100k_base: an estimate that is never below tiktoken''s count';
