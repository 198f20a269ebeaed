-- How many letters a job moves before it pauses; null for no pause, and once it was resumed.
alter table dlq_job add column hold_after integer;
