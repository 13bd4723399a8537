-- Summary rules for query_site_data, which answers each target in a shape of its own.
select
  tool_recall.set_summary_rule(
    tool_name => 'query_site_data',
    template => '{count($.members[*])} members, '
    'last registered {date:max($.members[*].registered_at)}',
    input_match => '{"target": "recent_members"}'
  ),
  tool_recall.set_summary_rule(
    tool_name => 'query_site_data',
    template => '{count($.memberships[*])} plans, '
    '{plain:top($.memberships[*], $.active, $.name)} '
    '{top($.memberships[*], $.active, $.active)} active',
    input_match => '{"target": "memberships"}'
  );
