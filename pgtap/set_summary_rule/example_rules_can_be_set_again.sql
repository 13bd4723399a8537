\ir ../setup.psql
select plan(1);
\ir ../../sql/rules/query_site_data.sql
\ir ../../sql/rules/query_kpi_trend.sql
\ir ../../sql/rules/update_customer_brain.sql
select count(*) as rules from tool_recall.summary_rules \gset
\ir ../../sql/rules/query_site_data.sql
\ir ../../sql/rules/query_kpi_trend.sql
\ir ../../sql/rules/update_customer_brain.sql

select is(
  (select count(*) from tool_recall.summary_rules), :rules::bigint,
  'the example rules can be run again'
);

select * from finish();
rollback;
