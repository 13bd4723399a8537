-- Summary rule for query_kpi_trend: how many periods, and the change over them.
select tool_recall.set_summary_rule(
  tool_name => 'query_kpi_trend',
  template => '{count($.points[*])}-{plain:input($.granularity)} trend, {change($.points[*].value)}'
);
