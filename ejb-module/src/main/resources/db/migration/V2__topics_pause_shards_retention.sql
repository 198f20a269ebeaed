-- What operators can do with a topic: pause it, change the number of its shards, bound what it keeps.

alter table topic add column retention_ready_count integer;
alter table topic add column retention_inflight bigint;
alter table topic add column retention_inflight_count integer;
alter table topic add column retention_dlq_count integer;

-- 1 when nothing is handed out.
alter table topic add column paused integer not null default 0;

-- Shards that may hold messages, and shards that may have a ledger: until now all there are.
alter table topic add column live_shards integer not null default 0;
alter table topic add column made_shards integer not null default 0;
update topic set live_shards = ready_shards, made_shards = ready_shards;
