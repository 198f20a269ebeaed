-- What dead letters there are (D10): an index of the broker's queues, made anew from them whenever it
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
