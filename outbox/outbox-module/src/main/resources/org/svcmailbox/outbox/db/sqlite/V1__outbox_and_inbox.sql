-- Times are microseconds since 1970.
CREATE TABLE outbox_events (
  id TEXT PRIMARY KEY CHECK (length(id) = 36),
  aggregate_type TEXT NOT NULL,
  aggregate_id TEXT NOT NULL,
  event_type TEXT NOT NULL,
  event_version INTEGER NOT NULL DEFAULT 1,
  payload TEXT NOT NULL CHECK (json_valid(payload)),
  occurred_at INTEGER NOT NULL DEFAULT (CAST(unixepoch('subsec') * 1000000 AS INTEGER)),
  correlation_id TEXT,
  causation_id TEXT,
  published_at INTEGER,
  publish_attempts INTEGER NOT NULL DEFAULT 0,
  publish_error TEXT
) WITHOUT ROWID;

-- A CHECK cannot look at the clock.
CREATE TRIGGER chk_occurred_not_future BEFORE INSERT ON outbox_events
WHEN NEW.occurred_at > (unixepoch('subsec') + 60) * 1000000
BEGIN
  SELECT RAISE(ABORT, 'chk_occurred_not_future');
END;

CREATE INDEX idx_outbox_unpublished ON outbox_events (occurred_at)
  WHERE published_at IS NULL;
CREATE INDEX idx_outbox_correlation ON outbox_events (correlation_id);

CREATE TABLE inbox_messages (
  message_id TEXT PRIMARY KEY CHECK (length(message_id) = 36),
  subject TEXT NOT NULL,
  received_at INTEGER NOT NULL DEFAULT (CAST(unixepoch('subsec') * 1000000 AS INTEGER)),
  processed_at INTEGER,
  attempts INTEGER NOT NULL DEFAULT 0,
  last_error TEXT
) WITHOUT ROWID;

CREATE INDEX idx_inbox_unprocessed ON inbox_messages (received_at)
  WHERE processed_at IS NULL;
