\ir ../setup.psql
select plan(9);
-- Each character alone between two letters, as argument, argument's name, tool's name, output,
-- error, key of a list, and through a rule.
select tool_recall.set_summary_rule('ruled', '{first($.text)} {plain:first($.text)}');
set local role recall_app;

create temporary table dangerous as
select d.kind, d.code_point, chr(d.code_point) as character
from (
  select k.kind, generate_series(k.first_point, k.last_point)
  from (values
    ('control characters', 1, 31), ('control characters', 127, 159),
    ('line and paragraph separators', 8232, 8233),
    ('bidirectional controls', 1564, 1564), ('bidirectional controls', 8206, 8207),
    ('bidirectional controls', 8234, 8238), ('bidirectional controls', 8294, 8297),
    ('zero-width characters', 8203, 8205), ('zero-width characters', 8288, 8292),
    ('zero-width characters', 65279, 65279), ('zero-width characters', 6158, 6158),
    ('zero-width characters', 173, 173), ('zero-width characters', 8298, 8303),
    ('tag characters', 917505, 917505), ('tag characters', 917536, 917631),
    ('private characters', 57344, 57360), ('private characters', 63743, 63743),
    ('private characters', 983040, 983041), ('private characters', 1114108, 1114109),
    ('characters unassigned in Unicode 13', 888, 889),
    ('characters unassigned in Unicode 13', 129760, 129767),
    ('characters unassigned in Unicode 13', 8384, 8384),
    ('characters unassigned in Unicode 13', 123536, 123550),
    ('characters unassigned in Unicode 13', 917632, 917633),
    ('noncharacters', 64976, 64977), ('noncharacters', 65534, 65535),
    ('noncharacters', 1114110, 1114111)
  ) as k (kind, first_point, last_point)
) as d (kind, code_point);

create temporary table shown as
select d.kind, d.code_point, d.character, s.place, s.text
from dangerous as d
  cross join lateral concat('b', d.character, 'c') as v (value)
  cross join lateral (values
    ('argument', pg_temp.line('a', jsonb_build_object('x', v.value), '1')),
    ('argument name', pg_temp.line('a', jsonb_build_object(v.value, 1), '1')),
    ('tool name', pg_temp.line(v.value, '{}', '1')),
    ('whole input', pg_temp.line('a', to_jsonb(v.value), '1')),
    ('nested argument', pg_temp.line('a', jsonb_build_object('x', jsonb_build_object(
      v.value, jsonb_build_array(v.value))), '1')),
    ('text', tool_recall.summarize_tool_result('a', '{}', to_jsonb(v.value))),
    ('error', tool_recall.summarize_tool_result(
      'a', '{}', jsonb_build_object('error', v.value), true)),
    ('list', tool_recall.summarize_tool_result(
      'a', '{}', jsonb_build_object(v.value, '[1, 2]'::jsonb))),
    ('fields', tool_recall.summarize_tool_result(
      'a', '{}', jsonb_build_object(v.value, v.value, 'other', v.value))),
    ('rule', tool_recall.summarize_tool_result(
      'ruled', '{}', jsonb_build_object('text', v.value)))
  ) as s (place, text);

select is_empty(
  format(
    $$
      select to_hex(code_point), place, text
      from shown
      where kind = %L and (text is null or strpos(text, character) > 0)
    $$, k.kind
  ),
  format('%s do not reach a line', k.kind)
)
from (select distinct d.kind from dangerous as d order by d.kind) as k;
select is(
  (select count(*) from shown where place = 'argument' and text ~ 'a\(x="b.{0,1}c"\): 1$'),
  (select count(*) from dangerous), 'what is around them does'
);

select * from finish();
rollback;
