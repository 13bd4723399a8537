-- Keeps no id but in the table of results, and lets erase_matching change a stored result.
-- Locks: none on host tables; ACCESS EXCLUSIVE on _over_cap, which holds a row for each
-- conversation
-- that was written to above READ COMMITTED since the last purge. Rewrite: of _over_cap. Breaking:
-- no.
-- Runs: before functions.

-- Which of 1024 buckets a conversation falls into: that tells nobody which conversation it was.
alter table tool_recall._over_cap
alter column conversation_id type smallint
using pg_catalog.hashtext(conversation_id collate pg_catalog."C") & 1023;
alter table tool_recall._over_cap rename column conversation_id to bucket;
alter index tool_recall.ix_over_cap_conversation_id rename to ix_over_cap_bucket;
comment on table tool_recall._over_cap is
  'Buckets of conversations into which a transaction above READ COMMITTED wrote since the last '
  'purge: '
  'those may hold more rows than the cap until their next insert or the next purge';

create table tool_recall._erasures (
  id uuid not null,
  constraint erasures_pkey primary key (id)
);
comment on table tool_recall._erasures is
  'The result that erase_matching is changing, within its transaction; empty outside of it';
