-- The package's own tables, with their checks and indexes.
-- Locks: none on host tables. Rewrite: no. Breaking: no.
-- Runs: before functions.

create table tool_recall.message_tool_results (
  id uuid not null default pg_catalog.gen_random_uuid(),
  like tool_recall._keys,
  tool_name varchar(128) not null,
  tool_input jsonb not null,
  tool_output jsonb not null,
  created_at timestamptz not null default pg_catalog.clock_timestamp(),
  seq bigint not null generated always as identity,
  tool_use_id text,
  is_error boolean not null default false,
  recall_line text not null,
  recall_tokens integer not null,
  repairs jsonb,
  constraint message_tool_results_pkey primary key (id),
  constraint message_tool_results_tool_use_key unique (message_id, tool_use_id),
  constraint message_tool_results_tool_name_check check (tool_name <> ''),
  constraint message_tool_results_tool_use_id_check check (tool_use_id <> ''),
  constraint message_tool_results_created_at_check check (pg_catalog.isfinite(created_at)),
  constraint message_tool_results_recall_line_check check (
    pg_catalog.octet_length(recall_line) <= 180 and pg_catalog.strpos(recall_line, E'\n') = 0
  ),
  constraint message_tool_results_recall_tokens_check check (recall_tokens >= 0),
  constraint message_tool_results_repairs_check check (pg_catalog.jsonb_typeof(repairs) = 'object')
);
drop table tool_recall._keys;

-- A type of its own, since recall_tool_results has an argument tool_name and a column tool_name.
do $tool_result$
begin
  execute (
    select pg_catalog.format(
      'create type tool_recall.tool_result as ('
      'id uuid, created_at timestamptz, message_id pg_catalog.%I, tool_use_id text, '
      'tool_name text, tool_input jsonb, tool_output jsonb, is_error boolean, repairs jsonb)',
      t.typname)
    from pg_catalog.pg_attribute as a join pg_catalog.pg_type as t on t.oid = a.atttypid
    where a.attrelid = 'tool_recall.message_tool_results'::regclass and a.attname = 'message_id'
  );
end
$tool_result$;
comment on type tool_recall.tool_result is
  'A stored tool result, as recall_tool_results returns it';

create index ix_message_tool_results_conversation_recency
on tool_recall.message_tool_results (conversation_id, user_id, created_at, seq);
create index ix_message_tool_results_user_id on tool_recall.message_tool_results (user_id);
create index ix_message_tool_results_created_at on tool_recall.message_tool_results (created_at);

comment on table tool_recall.message_tool_results is
  'One dated snapshot per tool result; immutable but for recall_line and recall_tokens';
comment on column tool_recall.message_tool_results.id is 'The snapshot''s own key';
comment on column tool_recall.message_tool_results.user_id is
  'The owner of the conversation; indexed, so that erasing a user is one statement';
comment on column tool_recall.message_tool_results.message_id is
  'The assistant message that used the result';
comment on column tool_recall.message_tool_results.conversation_id is
  'The conversation of the message';
comment on column tool_recall.message_tool_results.tool_name is
  'The tool''s name as called; never blank';
comment on column tool_recall.message_tool_results.tool_input is
  'The arguments of the call; usually an object, anything is accepted';
comment on column tool_recall.message_tool_results.tool_output is
  'The full result, within settings.max_output_bytes; "nothing" is JSON null';
comment on column tool_recall.message_tool_results.created_at is
  'When the tool returned the result';
comment on column tool_recall.message_tool_results.seq is 'Total order where created_at ties';
comment on column tool_recall.message_tool_results.tool_use_id is
  'The provider''s call id; unique per message where given';
comment on column tool_recall.message_tool_results.is_error is
  'Whether the call failed; errors are kept and never recalled in the block';
comment on column tool_recall.message_tool_results.recall_line is
  'The finished line of the block, written at insert; empty for a tool that never uses a line';
comment on column tool_recall.message_tool_results.recall_tokens is
  'The line''s token count, its line break included, before settings.token_margin';
comment on column tool_recall.message_tool_results.repairs is
  'What had to be changed to store the result: kind to count; null when nothing';

create table tool_recall.settings (
  only_row boolean not null default true,
  max_rows integer not null default 5,
  token_budget integer not null default 300,
  conversation_cap integer not null default 200,
  retention_days integer not null default 180,
  max_output_bytes integer not null default 1048576,
  token_margin numeric not null default 1.0,
  time_zone text not null default 'UTC',
  quote_free_text boolean not null default true,
  constraint settings_pkey primary key (only_row),
  constraint settings_only_row_check check (only_row),
  constraint settings_max_rows_check check (max_rows between 1 and 5),
  constraint settings_token_budget_check check (token_budget between 128 and 300),
  constraint settings_conversation_cap_check check (conversation_cap between 1 and 200),
  constraint settings_retention_days_check check (retention_days between 1 and 180),
  constraint settings_max_output_bytes_check check (max_output_bytes between 1024 and 16777216),
  constraint settings_token_margin_check check (token_margin between 1.0 and 2.0)
);
insert into tool_recall.settings default values;

comment on table tool_recall.settings is
  'One row. UPDATE tightens; past the defaults of the first four a CHECK refuses';
comment on column tool_recall.settings.only_row is 'Keeps the table at one row';
comment on column tool_recall.settings.max_rows is 'Most lines of a block, 1 to 5';
comment on column tool_recall.settings.token_budget is
  'Most tokens of a block, header and instruction included, 128 to 300';
comment on column tool_recall.settings.conversation_cap is
  'Most results kept per conversation, 1 to 200; a lowered one is enforced by the next '
  'purge_expired';
comment on column tool_recall.settings.retention_days is
  'Days (of 24 hours) after which a result is no longer recalled and is purged, 1 to 180';
comment on column tool_recall.settings.max_output_bytes is
  'Most bytes of an input''s or output''s JSON text, 1024 to 16777216; larger ones are stored '
  'truncated';
comment on column tool_recall.settings.token_margin is
  'Multiplies token counts, for models that split text finer than cl100k_base, 1.0 to 2.0';
comment on column tool_recall.settings.time_zone is 'Zone of the day that a line shows';
comment on column tool_recall.settings.quote_free_text is
  'False: no text from inputs or outputs reaches the block, only names, numbers and dates';

create table tool_recall.summary_rules (
  tool_name text not null,
  input_match jsonb not null default '{}',
  template text,
  segments jsonb,
  match_keys integer not null,
  seq bigint not null generated always as identity,
  constraint summary_rules_pkey primary key (tool_name, input_match),
  constraint summary_rules_input_match_check check (
    pg_catalog.jsonb_typeof(input_match) = 'object'
  ),
  constraint summary_rules_segments_check check ((template is null) = (segments is null))
);
comment on table tool_recall.summary_rules is
  'How a tool''s results are summarized; written by set_summary_rule and drop_summary_rule';
comment on column tool_recall.summary_rules.tool_name is 'The tool that the rule speaks for';
comment on column tool_recall.summary_rules.input_match is
  'The rule applies to calls whose input contains this object';
comment on column tool_recall.summary_rules.template is
  'The summary with its placeholders; null: this tool never uses a line';
comment on column tool_recall.summary_rules.segments is 'The template as parsed';
comment on column tool_recall.summary_rules.match_keys is
  'How many keys input_match has: the rule with most of them wins';
comment on column tool_recall.summary_rules.seq is 'Of equally specific rules the newest wins';

create table tool_recall._retention_state (
  only_row boolean not null default true,
  last_purge_at timestamptz,
  last_purge_deleted bigint,
  cap_bound integer not null default 200,
  constraint retention_state_pkey primary key (only_row),
  constraint retention_state_only_row_check check (only_row)
);
insert into tool_recall._retention_state default values;
comment on table tool_recall._retention_state is
  'One row: the last purge, and the cap that no conversation exceeds (cap_bound); '
  'while it is above settings.conversation_cap the next purge looks for conversations over the cap';

create table tool_recall._over_cap (
  conversation_id text not null
);
create index ix_over_cap_conversation_id on tool_recall._over_cap (conversation_id);
comment on table tool_recall._over_cap is
  'Conversations into which a transaction above READ COMMITTED wrote: they may hold more rows than '
  'the cap until the next insert or purge';
