-- Orders events of one time: in a transaction, NOW() is the same for all. No row is rewritten.
CREATE SEQUENCE outbox_events_seq;
ALTER TABLE outbox_events ADD COLUMN seq BIGINT;
ALTER TABLE outbox_events ALTER COLUMN seq SET DEFAULT nextval('outbox_events_seq');
ALTER SEQUENCE outbox_events_seq OWNED BY outbox_events.seq;

-- Roles that insert events need no new right.
GRANT USAGE ON SEQUENCE outbox_events_seq TO PUBLIC;
