-- The consumer whose messages are in inbox_messages: the first one of the database.
CREATE TABLE inbox_first_consumer (
  id SMALLINT PRIMARY KEY CHECK (id = 1),
  consumer VARCHAR NOT NULL
);

-- The messages of all other consumers.
CREATE TABLE inbox_consumers (
  consumer VARCHAR NOT NULL,
  message_id UUID NOT NULL,
  subject VARCHAR NOT NULL,
  received_at TIMESTAMP(6) WITH TIME ZONE NOT NULL,
  processed_at TIMESTAMP(6) WITH TIME ZONE,
  attempts INT DEFAULT 0 NOT NULL,
  last_error VARCHAR,
  PRIMARY KEY (consumer, message_id)
);

CREATE INDEX idx_inbox_consumers_unprocessed ON inbox_consumers (processed_at, received_at);

-- Messages from before this step. Nothing says whose they were, so each counts for all consumers.
CREATE TABLE inbox_shared (message_id UUID PRIMARY KEY);
INSERT INTO inbox_shared (message_id) SELECT message_id FROM inbox_messages;

-- The consumer of a dead letter is empty if its message is in inbox_messages.
ALTER TABLE inbox_dead_letters ADD COLUMN consumer VARCHAR DEFAULT '' NOT NULL;
ALTER TABLE inbox_dead_letters DROP PRIMARY KEY;
ALTER TABLE inbox_dead_letters ADD PRIMARY KEY (message_id, consumer);

-- The messages of all consumers; the owner is the consumer of dead letters.
CREATE VIEW inbox_all AS
  SELECT CASE WHEN s.message_id IS NULL THEN f.consumer END AS consumer, '' AS owner,
    m.message_id, m.subject, m.received_at, m.processed_at, m.attempts, m.last_error
  FROM inbox_messages m
  LEFT JOIN inbox_first_consumer f ON f.id = 1
  LEFT JOIN inbox_shared s ON s.message_id = m.message_id
  UNION ALL
  SELECT consumer, consumer, message_id, subject, received_at, processed_at, attempts, last_error
  FROM inbox_consumers;
