-- When dead letters of a topic come back by themselves, in milliseconds, and how often a message does;
-- null for never.
alter table topic add column reprocess_after bigint;
alter table topic add column reprocess_times integer;

-- Of a job of such a policy: only letters that were brought back fewer times.
alter table dlq_job add column times integer;
