-- A procedure that commits can have no set clause: it pins search_path itself, again after each
-- commit.
create or replace procedure tool_recall.refresh_recall_lines(tool_name text default null)
language plpgsql
as $$
#variable_conflict use_column
declare
  v_after uuid := uuid '00000000-0000-0000-0000-000000000000';
begin
  perform pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
  loop
    v_after := tool_recall._refresh_batch(refresh_recall_lines.tool_name, v_after, 500);
    commit;
    perform pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
    exit when v_after is null;
  end loop;
end
$$;
comment on procedure tool_recall.refresh_recall_lines(text) is
  'Rewrites the stored lines, of one tool or of all, as today''s rules and settings would write '
  'them, in batches of 500 rows, each its own transaction; lines that stay the same are not '
  'touched. Rows whose result was truncated, or not stored by a capture rule, keep their line, '
  'which was made from the whole, and are only counted again. Call it alone, outside a transaction';

create or replace function tool_recall._refresh_batch(
  tool_name text, after uuid, batch_size integer
) returns uuid
language plpgsql
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
as $$
#variable_conflict use_column
declare
  v_ids uuid[] := array(
    select m.id
    from tool_recall.message_tool_results as m
    where m.id > _refresh_batch.after
    order by m.id
    limit _refresh_batch.batch_size
  );
  v_locked uuid[];
begin
  -- Never waits for a writer, who therefore waits for no more than this batch, and no two wait for
  -- each other: what is locked is on its way out over the cap, or another refresh has it.
  v_locked := array(
    select m.id from tool_recall.message_tool_results as m
    where m.id = any (v_ids)
      and (_refresh_batch.tool_name is null or m.tool_name = _refresh_batch.tool_name)
    for no key update skip locked
  );
  update tool_recall.message_tool_results as m
  set recall_line = l.line, recall_tokens = tool_recall._line_tokens(l.line)
  from (
    select r.id, tool_recall._current_line(r) as line
    from tool_recall.message_tool_results as r
    where r.id = any (v_locked)
  ) as l
  where m.id = l.id
    and (m.recall_line, m.recall_tokens)
      is distinct from (l.line, tool_recall._line_tokens(l.line));
  return v_ids[cardinality(v_ids)];
end
$$;
comment on function tool_recall._refresh_batch(text, uuid, integer) is
  'Rewrites the lines of the next rows by id and returns the last id read; null when there is none';

create or replace function tool_recall._current_line(result tool_recall.message_tool_results)
returns text
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
begin
  if result.repairs ?| array['truncated', 'not_stored'] then
    return result.recall_line;
  end if;
  return (
    select coalesce(tool_recall._render_line(
      result.created_at, result.tool_name, result.tool_input,
      tool_recall._summarize(
        u, result.tool_input, result.tool_output, result.is_error, s.quote_free_text),
      s.time_zone, s.quote_free_text), '')
    from tool_recall.settings as s
      left join lateral tool_recall._summary_rule(result.tool_name, result.tool_input) as u on true
    where s.only_row
  );
end
$$;
comment on function tool_recall._current_line(tool_recall.message_tool_results) is
  'The line that today''s rules and settings give a stored result; the one that it has where the '
  'result is not whole';
