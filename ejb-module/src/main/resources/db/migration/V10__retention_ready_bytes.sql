-- How many bytes a topic's messages may take in the broker; null for any number.
alter table topic add column retention_ready_bytes bigint;
