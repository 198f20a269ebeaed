-- One file for every database; what they spell differently comes in as a placeholder.

-- Ids are never used again, so that a topic made anew starts with an empty ledger and no keys.
-- Periods are milliseconds; null means the service's own setting holds.
create table topic (
  id ${identity},
  name varchar(255) not null unique,
  ready_shards integer,
  shard_capacity integer,
  t_replay bigint,
  max_attempts integer,
  default_visibility bigint,
  backoff_base bigint,
  backoff_max bigint,
  retention_ready bigint,
  retention_dlq bigint
);

-- Which keys are taken (D4). expires_at: milliseconds since 1970. topic_id serves deletion only.
create table idempotency (
  key_hash ${uuid} not null primary key,
  topic_id integer not null,
  msg_id ${uuid} not null,
  payload_hash ${bytes} not null,
  expires_at bigint not null
);

create index idempotency_expiry on idempotency (expires_at);

-- What was accepted, per shard without gaps (D5).
create table ledger (
  topic_id integer not null,
  shard integer not null,
  seq bigint not null,
  msg_id ${uuid} not null,
  hash_chain ${bytes} not null,
  link ${bytes} not null,
  primary key (topic_id, shard, seq)
);

-- The last batch of each worker and where its rows are, for as long as it is in doubt (D4).
create table send_batch (
  worker integer not null primary key,
  batch_no bigint not null,
  places ${bytes} not null
);
