-- What of a tool's results is stored, and what in them is redacted before.
-- Locks: none on host tables. Rewrite: no. Breaking: no.
-- Runs: before functions.

create table tool_recall.capture_rules (
  tool_name text not null,
  store text not null default 'full',
  redact_paths text[] not null default '{}',
  searches jsonb not null default '[]',
  constraint capture_rules_pkey primary key (tool_name),
  constraint capture_rules_store_check check (store in ('full', 'line', 'none')),
  constraint capture_rules_searches_check check (
    pg_catalog.jsonb_typeof(searches) = 'array'
    and (searches = '[]') = (redact_paths = '{}')
  )
);
comment on table tool_recall.capture_rules is
  'What of a tool''s results is stored; written by set_capture_rule and drop_capture_rule';
comment on column tool_recall.capture_rules.tool_name is 'The tool that the rule is for';
comment on column tool_recall.capture_rules.store is
  'full: all of a result; line: all but its output; none: nothing';
comment on column tool_recall.capture_rules.redact_paths is
  'SQL/JSON paths; what they find in inputs and outputs is replaced by "[redacted]"';
comment on column tool_recall.capture_rules.searches is 'The paths as parsed';

create type tool_recall._redaction as (redacted jsonb, hits integer);
comment on type tool_recall._redaction is
  'A value without what was to be redacted, and how many values in it were replaced';
