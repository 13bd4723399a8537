create or replace function tool_recall._ascii_shape(value text) returns text
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
begin
  -- A letter that ends no contraction, a digit, a space that is not the usual one, a sign; the long
  -- s is an s where case does not count.
  return regexp_replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace(value,
    '\u017F', 's', 'g'),
    tool_recall._wide_letters() collate "C", 'x', 'g'),
    tool_recall._wide_numbers() collate "C", '0', 'g'),
    tool_recall._wide_spaces() collate "C", E'\t', 'g'),
    '[^\u0001-\u007F]' collate "C", '!', 'g');
end
$$;
comment on function tool_recall._ascii_shape(text) is
  'The text with an ASCII character of the same class for each beyond ASCII';

create or replace function tool_recall._split_any_pieces(value text) returns text[]
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  v_shape text := case
    when value ~ '[^\u0001-\u007F]' collate "C" then tool_recall._ascii_shape(value) else value end;
begin
  -- tiktoken's alternatives are tried in order, the first that matches wins; here the longest does.
  -- So where two could match, the later one is kept from it: a word does not begin with the
  -- apostrophe of a contraction, and space before a word has no line break.
  return array(
    select substr(
      _split_any_pieces.value, (sum(length(p.shape[1])) over (order by p.place))::integer
        - length(p.shape[1]) + 1, length(p.shape[1]))
    from regexp_matches(v_shape,
      '''(?:[sdmtSDMT]|[lL][lL]|[vV][eE]|[rR][eE])'
      '|(?:[^\r\nA-Za-z0-9'']|''(?!(?:[sdmtSDMT]|[lL][lL]|[vV][eE]|[rR][eE])))?[A-Za-z]+'
      '|[0-9]{1,3}'
      '| ?[^\sA-Za-z0-9]+[\r\n]*'
      '|\s+$|\s*[\r\n]|[ \t\v\f]+(?!\S)|\s' collate "C", 'g') with ordinality as p (shape, place)
    order by p.place
  );
end
$$;
comment on function tool_recall._split_any_pieces(text) is
  'The pieces of a text that tokens never cross, as cl100k_base has them';

create or replace function tool_recall._split_pieces(value text) returns text[]
language sql immutable parallel safe
return case
  -- Most lines: printable ASCII with single spaces and no apostrophe, a line break at the end.
  when value ~ '^ ?[!-&(-~]+( [!-&(-~]+)*\n?$' collate "C"
    then string_to_array(rtrim(regexp_replace(
      value, '[^A-Za-z0-9\n]?[A-Za-z]+|[0-9]{1,3}| ?[^ A-Za-z0-9\n]+\n?|[ \n]' collate "C",
      E'\\&\u0001', 'g'), E'\u0001'), E'\u0001')
  else tool_recall._split_any_pieces(value)
end;
comment on function tool_recall._split_pieces(text) is
  'What _split_any_pieces gives, the usual texts by a shorter way';
