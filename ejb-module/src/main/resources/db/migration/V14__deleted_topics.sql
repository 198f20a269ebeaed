-- How far a topic's deletion in a cluster is (ADR 164). LIVE: it is not deleted; ENDING: its nodes learn of
-- it; EMPTIED: it has no queues, and its name is not free yet.
alter table topic add column stage varchar(8) not null default 'LIVE';

-- The highest version of a topic whose row was removed. A node that knows only earlier changes missed it.
insert into cluster_counter (name, value) values ('topics_removed', 0);
