\ir ../setup.psql
select plan(1);

select results_eq(
  $$
    select p.proname::text collate "default",
      pg_get_function_arguments(p.oid) collate "default"
    from pg_proc as p
    where p.pronamespace = 'tool_recall'::regnamespace and not starts_with(p.proname, '_')
      and p.proname not in ('grant_reader', 'grant_operator', 'revoke_all')
    order by p.proname::text collate "C"
  $$,
  $$
    values
      ('count_tokens', 'value text'),
      ('disable_row_security', ''),
      ('drop_capture_rule', 'tool_name text'),
      ('drop_summary_rule', 'tool_name text, input_match jsonb DEFAULT ''{}''::jsonb'),
      ('enable_row_security', ''),
      (
        'erase_matching', 'IN tool_name text, IN path text, IN value text, '
        'INOUT erased bigint DEFAULT 0, INOUT remaining bigint DEFAULT 0'
      ),
      ('erasure_report', 'user_id uuid'),
      ('forget_conversation', 'conversation_id uuid'),
      ('forget_user', 'user_id uuid'),
      ('grant_app', 'role regrole'),
      (
        'preview_summary_rule', 'tool_name text, template text, '
        'input_match jsonb DEFAULT ''{}''::jsonb, max_results integer DEFAULT 5'
      ),
      (
        'purge_expired', 'IN batch_size integer DEFAULT 1000, IN max_seconds integer DEFAULT 300, '
        'INOUT deleted bigint DEFAULT 0'
      ),
      ('recall_block', 'conversation_id uuid, user_id uuid'),
      ('recall_lines', 'conversation_id uuid, user_id uuid'),
      ('recall_tool_result', 'id uuid, user_id uuid'),
      (
        'recall_tool_results', 'conversation_id uuid, user_id uuid, '
        'tool_name text DEFAULT NULL::text, since_days integer DEFAULT NULL::integer, '
        'max_results integer DEFAULT 5, before uuid DEFAULT NULL::uuid'
      ),
      (
        'record_tool_result', 'conversation_id uuid, user_id uuid, message_id uuid, '
        'tool_name text, tool_input jsonb, tool_output jsonb, tool_use_id text DEFAULT NULL::text, '
        'is_error boolean DEFAULT false, '
        'created_at timestamp with time zone DEFAULT NULL::timestamp with time zone, '
        'repairs jsonb DEFAULT NULL::jsonb'
      ),
      (
        'record_tool_results',
        'conversation_id uuid, user_id uuid, message_id uuid, results jsonb'
      ),
      ('refresh_recall_lines', 'IN tool_name text DEFAULT NULL::text'),
      ('schedule_retention', 'schedule text DEFAULT ''17 3 * * *''::text'),
      (
        'set_capture_rule', 'tool_name text, store text DEFAULT ''full''::text, '
        'redact_paths text[] DEFAULT ''{}''::text[]'
      ),
      (
        'set_summary_rule',
        'tool_name text, template text, input_match jsonb DEFAULT ''{}''::jsonb'
      ),
      (
        'summarize_tool_result', 'tool_name text, tool_input jsonb, tool_output jsonb, '
        'is_error boolean DEFAULT false'
      ),
      ('unschedule_retention', ''),
      ('version', '')
  $$,
  'names, arguments and defaults are those of the contract, and there are no others'
);

select * from finish();
rollback;
