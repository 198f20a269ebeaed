-- What the ledgers take on disk (ADR 30), in parts whose sum counts: each worker adds to its own row
-- what it writes, in the transaction that writes it; what is removed is taken off the first row.
alter table send_batch add column ledger_bytes bigint not null default 0;
