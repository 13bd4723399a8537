-- Summary rule for update_customer_brain: its status alone; what was written stands in the
-- arguments.
select tool_recall.set_summary_rule(
  tool_name => 'update_customer_brain',
  template => '{plain:first($.status)}'
);
