-- Which keys are taken (D4), in pages of what one batch took until one moment. An entry is 64
-- bytes: key 16, msg_id 16, payload_hash 32. expires_at: milliseconds since 1970. Which page has a
-- key is known in memory (ADR 22): no index here has a random place for each key.
create table idempotency_page (
  worker integer not null,
  batch_no bigint not null,
  expires_at bigint not null,
  entries ${bytes} not null,
  primary key (worker, batch_no, expires_at)
)${clustered};

create index idempotency_page_expiry on idempotency_page (expires_at);
