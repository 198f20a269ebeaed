-- A publisher's lease on a sixteenth of all aggregates is a row lock.
CREATE TABLE outbox_lanes (lane SMALLINT PRIMARY KEY);
INSERT INTO outbox_lanes (lane) SELECT x FROM SYSTEM_RANGE(0, 15);

-- Events that wait for an operator, and the aggregates that they hold back.
CREATE TABLE outbox_holds (
  event_id UUID PRIMARY KEY,
  aggregate_type VARCHAR NOT NULL,
  aggregate_id VARCHAR NOT NULL,
  code VARCHAR NOT NULL,
  error VARCHAR NOT NULL,
  parked_at TIMESTAMP(6) WITH TIME ZONE NOT NULL,
  holds_aggregate BOOLEAN NOT NULL
);
CREATE INDEX idx_outbox_holds_aggregate ON outbox_holds (aggregate_type, aggregate_id);

CREATE TABLE outbox_headers (
  event_id UUID PRIMARY KEY,
  traceparent VARCHAR NOT NULL,
  tracestate VARCHAR
);

-- Topics that accepted an event while others refused it.
CREATE TABLE outbox_accepted (
  event_id UUID NOT NULL,
  topic VARCHAR NOT NULL,
  PRIMARY KEY (event_id, topic)
);

-- Messages on their way to the dead letters of the service, or there.
CREATE TABLE inbox_dead_letters (
  message_id UUID PRIMARY KEY,
  msg_id VARCHAR NOT NULL,
  original_subject VARCHAR NOT NULL,
  reason VARCHAR NOT NULL,
  attempts INT NOT NULL,
  dead_at TIMESTAMP(6) WITH TIME ZONE NOT NULL,
  routed_at TIMESTAMP(6) WITH TIME ZONE
);

-- The changes of operators; an event that is skipped moves here.
CREATE TABLE outbox_audit (
  id UUID PRIMARY KEY,
  at TIMESTAMP(6) WITH TIME ZONE NOT NULL,
  actor VARCHAR NOT NULL,
  action VARCHAR NOT NULL,
  event_id UUID,
  note VARCHAR NOT NULL,
  event VARCHAR
);
