create or replace view tool_recall.metrics as
with counts as (
  select c.name, coalesce(nullif(c.label, ''), 'other') as label, pg_catalog.sum(c.value) as value
  from tool_recall._counters as c
  group by 1, 2
)
select
  k.name,
  case
    when k.label_name is null then '{}'
    else pg_catalog.jsonb_build_object(k.label_name, c.label)
  end as labels,
  'counter'::text as kind,
  coalesce(c.value, 0) as value
from (values
  ('tool_results_persisted_total', 'tool_name'),
  ('tool_results_not_stored_total', 'tool_name'),
  ('tool_results_repaired_total', 'kind'),
  ('tool_results_retention_deletes_total', null),
  ('tool_results_cap_deletes_total', null),
  ('tool_results_forgotten_total', null),
  ('tool_results_erased_total', null)
) as k (name, label_name)
  left join counts as c on c.name = k.name
-- A label is there once it has been counted, the others from the start.
where k.label_name is null or c.name is not null
union all
select 'tool_results_estimated_rows', '{}', 'gauge', r.reltuples::numeric
from pg_catalog.pg_class as r
-- -1 means that the table was never analyzed.
where r.oid = 'tool_recall.message_tool_results'::pg_catalog.regclass and r.reltuples >= 0
union all
select
  'tool_results_bytes', '{}', 'gauge',
  pg_catalog.pg_total_relation_size('tool_recall.message_tool_results')::numeric
union all
select
  'tool_results_oldest_age_seconds', '{}', 'gauge',
  extract(epoch from pg_catalog.statement_timestamp() - pg_catalog.min(m.created_at))::numeric
from tool_recall.message_tool_results as m
having pg_catalog.min(m.created_at) is not null
union all
select
  'tool_results_last_purge_age_seconds', '{}', 'gauge',
  extract(epoch from pg_catalog.statement_timestamp() - t.last_purge_at)::numeric
from tool_recall._retention_state as t
where t.last_purge_at is not null;
comment on view tool_recall.metrics is
  'Counters since the installation, which survive trims, retention and erasure and never decrease, '
  'and gauges that are cheap at any size; a gauge that is not known yet has no row. No ids of '
  'users, conversations or messages';

comment on column tool_recall.metrics.name is 'The metric''s name, as Prometheus would have it';
comment on column tool_recall.metrics.labels is
  'Its label and value: tool_name (of the first 200 tools; other) or kind; {} where it has none';
comment on column tool_recall.metrics.kind is 'counter or gauge';
comment on column tool_recall.metrics.value is
  'How many since the installation; of a gauge, how much now';
