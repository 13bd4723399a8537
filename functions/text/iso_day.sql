create or replace function tool_recall._iso_pattern() returns text
language sql immutable parallel safe
return
  -- The calendar, so that the cast in _iso_day cannot fail: years, then 31, 30 and 28 days, leap
  -- days.
  '^(?:(?!0000)[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])'
  '|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))'
  '|(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][48]|[2468]0|[13579][26])00)-02-29)'
  -- Time of day, fraction, offset.
  '(?:[T ](?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:[.][0-9]{1,12})?)?'
  ' ?(?:Z|[+-](?:0[0-9]|1[0-4])(?::?[0-5][0-9])?)?)?$';
comment on function tool_recall._iso_pattern() is
  'A regular expression for ISO 8601 dates and timestamps of days that exist';

create or replace function tool_recall._iso_day(value text) returns text
language sql stable parallel safe
return case
  -- Most moments: a day up to the 28th, alone or with a time in UTC; a fifth of the cost.
  when value ~ (
    '^[12][0-9][0-9][0-9]-(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])'
    '(?:T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:[.][0-9]+)?Z)?$') collate "C"
    and length(value) <= 30 then left(value, 10)
  when length(value) between 10 and 40
    and value ~ (tool_recall._iso_pattern() collate "C") then case
    when length(value) = 10 then value
    else to_char((
      value || case when value ~ '(Z|:[0-9.]+ ?[+-][0-9:]+)$' collate "C" then '' else 'Z' end
    )::timestamptz at time zone 'UTC', 'YYYY-MM-DD')
  end
end;
comment on function tool_recall._iso_day(text) is
  'The UTC day (YYYY-MM-DD) of an ISO 8601 date or timestamp, null of any other text; a time '
  'without an offset is taken as UTC. Independent of TimeZone and DateStyle, and raises on '
  'nothing';
