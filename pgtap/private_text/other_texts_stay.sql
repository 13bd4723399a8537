\ir ../setup.psql
select plan(1);
set local role recall_app;

select is_empty(
  $$
    select t.kept, l.line
    from unnest(array[
      '2026-05-12', '2026-05-12T10:00:00Z', '2026-05-12 to 2026-05-19',
      '1 - 2031-01-01', '2026-05-12 - 2026-05-19', '12/05/2026 14:30',
      '550e8400-e29b-41d4-a716-446655440000', 'in_1Mk2bZLkdIwHu7ix28a3tqPa',
      'cus_NffrFeUfNV2Hib', 'toolu_01A09q90qw90lq917835lq9', 'INV-2026-0001234567',
      '01ARZ3NDEKTSV4RRFFQ69G5FAV', '192.168.100.200', '1520.75', '0.123456789012', '1,234,567,890',
      '52.520008, 13.404954', '10 of 1240 items', 'v1.2.3', '@bob said so', 'risk-management',
      'a keyword: none', 'top secrets of sales', 'recent_members', 'how-to-reset-a-password',
      U&'Stra\00DFe des 17. Juni 135', U&'\4F1A\54E1\6570 1847'
    ]) as t (kept)
      cross join lateral (
        select pg_temp.line('a_tool', jsonb_build_object('q', t.kept), '1') as line
      ) as l
    where l.line <> '- 2026-05-12 a_tool(q="' || t.kept || '"): 1'
  $$,
  'dates, ids, addresses of machines, amounts and words'
);

select * from finish();
rollback;
