create or replace function tool_recall._load_vocabulary(content text) returns integer
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  -- Pinned by tiktoken (tiktoken_ext/openai_public.py) for cl100k_base.tiktoken.
  v_sha256 text := '223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7';
  v_tokens integer;
begin
  if encode(sha256(convert_to(content, 'UTF8')), 'hex') is distinct from v_sha256 then
    raise exception using errcode = '22023',
      message = 'this is not the vocabulary of cl100k_base: its SHA-256 is another',
      hint = 'It is the whole file cl100k_base.tiktoken, unchanged.';
  end if;
  lock table tool_recall._vocabulary_state in share row exclusive mode;
  if tool_recall._is_exact() then
    return 0;
  end if;
  insert into tool_recall._vocabulary as v (token, rank)
  select decode(split_part(l.line, ' ', 1), 'base64'), split_part(l.line, ' ', 2)::integer
  from string_to_table(content, E'\n') as l (line)
  where l.line <> ''
  on conflict on constraint _vocabulary_pkey do update set rank = excluded.rank;
  get diagnostics v_tokens = row_count;
  insert into tool_recall._vocabulary_state (name, sha256, tokens)
  values ('cl100k_base', v_sha256, v_tokens);
  return v_tokens;
end
$$;
comment on function tool_recall._load_vocabulary(text) is
  'Loads the whole vocabulary, given the content of cl100k_base.tiktoken, and turns exact token '
  'counts on; how many tokens, 0 where it was loaded before. 22023: the content is not that of the '
  'file whose SHA-256 tiktoken pins. Stored counts follow with refresh_recall_lines';
