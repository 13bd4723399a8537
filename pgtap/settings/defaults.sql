\ir ../setup.psql
select plan(1);

select results_eq(
  $$
    select max_rows, token_budget, conversation_cap, retention_days, max_output_bytes,
      token_margin, time_zone, quote_free_text
    from tool_recall.settings
  $$,
  $$ values (5, 300, 200, 180, 1048576, 1.0, 'UTC', true) $$,
  'the settings are those of the contract'
);

select * from finish();
rollback;
