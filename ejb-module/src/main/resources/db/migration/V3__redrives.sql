-- How many letters a job moves before it pauses; null for no pause, and once it was resumed.
alter table dlq_job add column hold_after integer;

-- The job that redrove a letter last; null for none, and for letters from before this version.
alter table dead_letter add column job varchar(32);
create index dead_letter_job on dead_letter (job) where job is not null;
