-- Three minimal host tables, in the current schema: what a chat service has anyway.
create table users (
  id uuid primary key default gen_random_uuid(),
  name text not null
);
create table conversations (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  title text not null default '',
  created_at timestamptz not null default now()
);
create table messages (
  id uuid primary key default gen_random_uuid(),
  conversation_id uuid not null references conversations on delete cascade,
  role text not null,
  content text not null default '',
  created_at timestamptz not null default now()
);
create index on conversations (user_id);
create index on messages (conversation_id);
