-- Each new root key and each revocation takes the next number in its transaction (ADR 163). 0 for a
-- revocation of an earlier release.
insert into cluster_counter (name, value) values ('capabilities', 0);
alter table revocation add column no bigint not null default 0;
create index revocation_no on revocation (no);
