-- A batch's stamp (ADR 48): numbers alone do not tell two histories apart. Batches of earlier versions have 0.
alter table send_batch add column stamp bigint not null default 0;
alter table send_batch add column confirmed_stamp bigint not null default 0;
