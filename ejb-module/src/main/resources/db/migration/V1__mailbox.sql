-- One file for every database; what they spell differently comes in as a placeholder. Moments are
-- milliseconds since 1970, periods milliseconds, unless a column says otherwise.

-- Ids are never used again, so that a topic made anew starts with an empty ledger and no keys. Null
-- means that the service's own setting holds. paused: 1 when nothing is handed out. live_shards may
-- hold messages, made_shards may have a ledger. reprocess_after and reprocess_times: the policy of
-- redrives, null for none.
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
  retention_ready_count integer,
  retention_ready_bytes bigint,
  retention_inflight bigint,
  retention_inflight_count integer,
  retention_dlq bigint,
  retention_dlq_count integer,
  reprocess_after bigint,
  reprocess_times integer,
  paused integer not null default 0,
  live_shards integer not null default 0,
  made_shards integer not null default 0
);

-- The projection of the workers' logs in the broker (ADR 51): the last batch of each worker that the
-- tables below have. ledger_bytes: what the ledgers take on disk (ADR 30), in parts whose sum counts;
-- a projection adds to its worker's row, what is removed is taken off the first row.
create table send_log (
  worker integer not null primary key,
  applied bigint not null,
  stamp bigint not null,
  ledger_bytes bigint not null
);

-- Which keys are taken, in pages of what one batch took until one moment. An entry is 64 bytes: key
-- 16, msg_id 16, payload_hash 32, ordered by key. Which page has a key is known in memory (ADR 22): no
-- index here has a random place for each key.
create table idempotency_page (
  worker integer not null,
  batch_no bigint not null,
  expires_at bigint not null,
  entries ${bytes} not null,
  primary key (worker, batch_no, expires_at)
)${clustered};

create index idempotency_page_expiry on idempotency_page (expires_at);

-- What was accepted, per shard without gaps, in pages of what was accepted together. An entry is 80
-- bytes: msg_id 16, hash_chain 32, link 32; the first one's number is first_seq.
create table ledger_page (
  topic_id integer not null,
  shard integer not null,
  first_seq bigint not null,
  entries ${bytes} not null,
  primary key (topic_id, shard, first_seq)
)${clustered};

-- Where each ledger ends: its last entry.
create table ledger_head (
  topic_id integer not null,
  shard integer not null,
  seq bigint not null,
  link ${bytes} not null,
  primary key (topic_id, shard)
);

-- What the first page that is kept continues, where older ones were removed.
create table ledger_start (
  topic_id integer not null,
  shard integer not null,
  seq bigint not null,
  link ${bytes} not null,
  primary key (topic_id, shard)
);

-- No ledger gives a number up to the highest of these: batches that were lost can have had it.
create table ledger_floor (
  worker integer not null primary key,
  seq bigint not null
);

-- Topics that were deleted and still have pages.
create table deleted_topic (
  topic_id integer not null primary key
);

-- Which broker this database belongs to (ADR 31). One row. id: of the pair; next_id: of the pair that
-- the two are about to become; holder: the process that may write.
create table store_identity (
  one integer not null primary key,
  id varchar(36),
  next_id varchar(36),
  holder varchar(36)
);

insert into store_identity (one) values (1);

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

-- What was minted and has not expired, without its secret. caveats: one a line; expires_at: null for
-- never.
create table minting (
  nonce varchar(32) not null primary key,
  key_id varchar(32) not null,
  caveats text not null,
  minted_by varchar(128) not null,
  minted_at bigint not null,
  expires_at bigint
);

create index minting_expiry on minting (expires_at);
create index minting_key on minting (key_id);

-- What operators did.
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

-- What dead letters there are: an index of the broker's queues, made anew from them whenever it
-- differs. place: milliseconds since 1970 of the death, shifted by 20 bits, and a number within them.
-- last_error: UTF-8; not every database takes every character that a NACK can give.
create table dead_letter (
  place ${ordered},
  topic varchar(255) not null,
  segment integer not null,
  msg_id ${bytes} not null,
  reason varchar(16) not null,
  fingerprint bigint not null,
  attempt integer not null,
  reprocessed integer not null,
  payload_bytes integer not null,
  last_error ${bytes} not null,
  envelope ${bytes}
);

create index dead_letter_page on dead_letter (topic, place);
create index dead_letter_segment on dead_letter (topic, segment);
create index dead_letter_group on dead_letter (topic, reason, fingerprint, place);
create index dead_letter_message on dead_letter (msg_id);

-- By which terms a letter is found, in whatever the database has for full text.
${letter_search};

-- Jobs over dead letters. filter: the query of a list of letters, percent-encoded; chosen and
-- under_way: places in hex, with blanks between them; errors: a msg_id, a blank and a percent-encoded
-- sentence in each line. filter or chosen is null. times: of a job of a topic's policy, only letters
-- that were redriven fewer times. ttl_ms: the new time to live of the messages, null for their own.
create table dlq_job (
  no ${identity},
  id varchar(32) not null unique,
  topic varchar(255) not null,
  action varchar(16) not null,
  filter text,
  chosen text,
  rate integer not null,
  to_topic varchar(255),
  ttl_ms bigint,
  note text not null,
  frontier bigint not null,
  by_reason varchar(255) not null,
  started_by varchar(255) not null,
  started_at bigint not null,
  state varchar(16) not null,
  reached bigint not null,
  under_way_segment integer not null,
  under_way text not null,
  done bigint not null,
  failed bigint not null,
  errors text not null,
  updated_at bigint not null,
  finished_at bigint,
  ending text,
  times integer
);

create index dlq_job_topic on dlq_job (topic, no);
create index dlq_job_state on dlq_job (state, no);

-- Tokens of the rendezvous door (ADR 46). no: the order they were made in; digest: SHA-256 in hex, the token itself is
-- never stored; rights: get, post or both with a comma; mailbox: the only one it is good for, null for
-- all; expires_at: null for never.
create table rendezvous_token (
  no ${identity},
  id varchar(16) not null unique,
  digest varchar(64) not null,
  rights varchar(16) not null,
  mailbox varchar(64),
  created_at bigint not null,
  expires_at bigint,
  note text not null
);

create index rendezvous_token_expiry on rendezvous_token (expires_at);

-- Lists and rates that an operator set at the rendezvous door. One row, or none. allowed and blocked:
-- CIDR ranges, one a line.
create table rendezvous_access (
  one integer not null primary key,
  allowed text not null,
  blocked text not null,
  posts_per_minute integer not null,
  gets_per_minute integer not null,
  window_seconds integer not null
);
