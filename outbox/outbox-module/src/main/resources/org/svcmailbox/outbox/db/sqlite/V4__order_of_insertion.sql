-- Orders events of one time, which has milliseconds by default.
ALTER TABLE outbox_events ADD COLUMN seq INTEGER;
CREATE TABLE outbox_seq (last INTEGER NOT NULL);
INSERT INTO outbox_seq (last) VALUES (0);

-- A column that is added later can have no default of this kind.
CREATE TRIGGER outbox_events_seq AFTER INSERT ON outbox_events
WHEN NEW.seq IS NULL
BEGIN
  UPDATE outbox_seq SET last = last + 1;
  UPDATE outbox_events SET seq = (SELECT last FROM outbox_seq) WHERE id = NEW.id;
END;
