CREATE TABLE outbox_events (
  id UUID PRIMARY KEY,
  aggregate_type VARCHAR NOT NULL,
  aggregate_id VARCHAR NOT NULL,
  event_type VARCHAR NOT NULL,
  event_version INT DEFAULT 1 NOT NULL,
  payload JSON NOT NULL,
  occurred_at TIMESTAMP(6) WITH TIME ZONE DEFAULT CURRENT_TIMESTAMP NOT NULL,
  correlation_id UUID,
  causation_id UUID,
  published_at TIMESTAMP(6) WITH TIME ZONE,
  publish_attempts INT DEFAULT 0 NOT NULL,
  publish_error VARCHAR,

  CONSTRAINT chk_occurred_not_future CHECK (occurred_at <= CURRENT_TIMESTAMP + INTERVAL '1' MINUTE)
);

CREATE INDEX idx_outbox_unpublished ON outbox_events (published_at, occurred_at);
CREATE INDEX idx_outbox_correlation ON outbox_events (correlation_id);

CREATE TABLE inbox_messages (
  message_id UUID PRIMARY KEY,
  subject VARCHAR NOT NULL,
  received_at TIMESTAMP(6) WITH TIME ZONE DEFAULT CURRENT_TIMESTAMP NOT NULL,
  processed_at TIMESTAMP(6) WITH TIME ZONE,
  attempts INT DEFAULT 0 NOT NULL,
  last_error VARCHAR
);

CREATE INDEX idx_inbox_unprocessed ON inbox_messages (processed_at, received_at);
