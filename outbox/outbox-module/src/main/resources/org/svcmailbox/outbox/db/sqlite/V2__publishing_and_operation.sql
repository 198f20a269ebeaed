-- Events that wait for an operator, and the aggregates that they hold back.
CREATE TABLE outbox_holds (
  event_id TEXT PRIMARY KEY,
  aggregate_type TEXT NOT NULL,
  aggregate_id TEXT NOT NULL,
  code TEXT NOT NULL,
  error TEXT NOT NULL,
  parked_at INTEGER NOT NULL,
  holds_aggregate INTEGER NOT NULL
);
CREATE INDEX idx_outbox_holds_aggregate ON outbox_holds (aggregate_type, aggregate_id);

CREATE TABLE outbox_headers (
  event_id TEXT PRIMARY KEY,
  traceparent TEXT NOT NULL,
  tracestate TEXT
);

-- Topics that accepted an event while others refused it.
CREATE TABLE outbox_accepted (
  event_id TEXT NOT NULL,
  topic TEXT NOT NULL,
  PRIMARY KEY (event_id, topic)
);

-- Messages on their way to the dead letters of the service, or there.
CREATE TABLE inbox_dead_letters (
  message_id TEXT PRIMARY KEY,
  msg_id TEXT NOT NULL,
  original_subject TEXT NOT NULL,
  reason TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  dead_at INTEGER NOT NULL,
  routed_at INTEGER
);

-- The changes of operators; an event that is skipped moves here.
CREATE TABLE outbox_audit (
  id TEXT PRIMARY KEY,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  action TEXT NOT NULL,
  event_id TEXT,
  note TEXT NOT NULL,
  event TEXT
);

CREATE INDEX idx_outbox_published ON outbox_events (published_at) WHERE published_at IS NOT NULL;
CREATE INDEX idx_inbox_processed ON inbox_messages (processed_at) WHERE processed_at IS NOT NULL;
