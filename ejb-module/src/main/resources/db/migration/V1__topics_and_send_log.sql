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

-- Which keys are taken (D4). expires_at: milliseconds since 1970.
create table idempotency (
  key_hash ${uuid} not null primary key,
  msg_id ${uuid} not null,
  payload_hash ${bytes} not null,
  expires_at bigint not null
);

create index idempotency_expiry on idempotency (expires_at);

-- What was accepted, per shard without gaps (D5), in pages of what was accepted together. An entry
-- is 80 bytes: msg_id 16, hash_chain 32, link 32; the first one's number is first_seq.
create table ledger_page (
  topic_id integer not null,
  shard integer not null,
  first_seq bigint not null,
  entries ${bytes} not null,
  primary key (topic_id, shard, first_seq)
)${clustered};

-- What the first page that is kept continues, where older ones were removed.
create table ledger_start (
  topic_id integer not null,
  shard integer not null,
  seq bigint not null,
  link ${bytes} not null,
  primary key (topic_id, shard)
);

-- Topics that were deleted and still have pages.
create table deleted_topic (
  topic_id integer not null primary key
);

-- The last batch of each worker and where its rows are, for as long as it is in doubt (D4).
create table send_batch (
  worker integer not null primary key,
  batch_no bigint not null,
  places ${bytes} not null
);

-- Root keys that the service made. no: the order they were made in. A key is secret.
create table root_key (
  no ${identity},
  id varchar(32) not null unique,
  secret ${bytes} not null,
  created_at bigint not null
);

-- What was revoked. subject: nonce:<hex> or key:<id>; key_id: of a nonce, where it is known.
create table revocation (
  subject varchar(64) not null primary key,
  key_id varchar(32),
  revoked_at bigint not null
);

-- What operators did. at: milliseconds since 1970.
create table audit (
  no ${identity},
  at bigint not null,
  actor varchar(128) not null,
  address varchar(64) not null,
  action varchar(64) not null,
  subject varchar(255) not null,
  note varchar(4096) not null
);

create index audit_at on audit (at);
