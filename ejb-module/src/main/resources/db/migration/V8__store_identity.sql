-- Which broker this database belongs to (ADR 31). One row. id: of the pair; next_id: of the pair that
-- the two are about to become; holder: the process that may write.
create table store_identity (
  one integer not null primary key,
  id varchar(36),
  next_id varchar(36),
  holder varchar(36)
);

insert into store_identity (one) values (1);

-- No ledger gives a number up to the highest of these: batches that the database lost can have had it.
create table ledger_floor (
  worker integer not null primary key,
  seq bigint not null
);

-- The worker's last batch that the broker was known to have when the next was reserved.
alter table send_batch add column confirmed bigint not null default 0;
