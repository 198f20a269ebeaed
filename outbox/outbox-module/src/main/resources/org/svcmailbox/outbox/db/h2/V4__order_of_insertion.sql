-- Orders events of one time: in a transaction, NOW() is the same for all.
CREATE SEQUENCE outbox_events_seq;
ALTER TABLE outbox_events ADD COLUMN seq BIGINT;
ALTER TABLE outbox_events ALTER COLUMN seq SET DEFAULT NEXT VALUE FOR outbox_events_seq;
