-- Names for people (ADR 144): the note of a capability, or console: and a user. Null for capabilities
-- without a note, and in rows from before this version.
alter table minting add column note varchar(255);
alter table minting add column by_name varchar(255);
alter table audit add column actor_name varchar(255);
alter table dlq_job add column started_by_name varchar(255);

-- Error texts of a job's letters, one in a line.
alter table dlq_job add column patterns text;
