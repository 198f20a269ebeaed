-- Counts changes of a topic's settings; its ETag has it.
alter table topic add column version integer not null default 1;

-- The age of a ready message from which it is overdue, in milliseconds; null for the service's setting.
alter table topic add column alert_ready_age bigint;
