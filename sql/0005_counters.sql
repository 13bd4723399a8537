-- What the view metrics counts.
-- Locks: none on host tables. Rewrite: no. Breaking: no.
-- Runs: before functions.

-- No key is unique, on purpose: a writer that finds its row locked adds another one, so that no
-- writer ever waits for another, in whatever order two transactions touch two tools. A count is the
-- sum over its rows; purge_expired folds them. Half-full pages keep the updates in their page. Each
-- 128 a row goes on in a new part, sought from the last on: under an old snapshot, which keeps all
-- versions of a row, a count then passes 128 of them at most, not all.
create table tool_recall._counters (
  name text not null,
  label text not null,
  slot smallint not null,
  part bigint not null,
  value bigint not null
) with (fillfactor = 50);
create index ix_counters_name_label_slot_part
on tool_recall._counters (name, label, slot, part);
comment on table tool_recall._counters is
  'Counts by metric and label, each the sum of its rows; slot: of the backends that write a row, '
  '-1 for what a purge has folded';

create table tool_recall._metric_tools (
  tool_name text not null
);
create index ix_metric_tools_tool_name on tool_recall._metric_tools (tool_name);
comment on table tool_recall._metric_tools is
  'The tools that metrics names, the first 200 that it saw; all others are counted as one';
