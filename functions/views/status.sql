create or replace view tool_recall.status as
select
  tool_recall.version() as version,
  (
    -- -1 means that the table was never analyzed.
    select case when c.reltuples < 0 then null else c.reltuples::bigint end
    from pg_catalog.pg_class as c
    where c.oid = 'tool_recall.message_tool_results'::pg_catalog.regclass
  ) as estimated_rows,
  (select pg_catalog.min(m.created_at) from tool_recall.message_tool_results as m) as oldest_row,
  tool_recall._scheduler() as scheduler,
  t.last_purge_at,
  t.last_purge_deleted,
  case when tool_recall._is_exact() then 'cl100k_base' else 'estimate' end as vocabulary
from tool_recall._retention_state as t;
comment on view tool_recall.status is
  'One row, cheap at any size: the version, the planner''s estimate of rows (null before the '
  'first analyze), the oldest row, how retention is scheduled, the last purge and its count, and '
  'how tokens are counted';

comment on column tool_recall.status.version is 'The installed version';
comment on column tool_recall.status.estimated_rows is
  'The planner''s estimate of stored results; null before the table was first analyzed';
comment on column tool_recall.status.oldest_row is 'created_at of the oldest stored result';
comment on column tool_recall.status.scheduler is 'How retention is scheduled, or why it is not';
comment on column tool_recall.status.last_purge_at is 'When purge_expired last finished a batch';
comment on column tool_recall.status.last_purge_deleted is
  'How many rows that purge had deleted by then';
comment on column tool_recall.status.vocabulary is
  'How count_tokens counts: cl100k_base, exactly; or estimate, never below that';
