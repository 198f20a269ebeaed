-- What a node says of itself (ADR 156). release: of the program that it runs. unfit: why it could serve no
-- groups; empty if it could. topics_seen: it knows all changes of topics up to this version (ADR 157).
alter table cluster_node add column release varchar(64) not null default '';
alter table cluster_node add column unfit varchar(255) not null default '';
alter table cluster_node add column topics_seen bigint not null default 0;

-- Each change of a topic in a cluster takes the next version in its transaction (ADR 157).
create table cluster_counter (
  name varchar(32) not null primary key,
  value bigint not null
);
insert into cluster_counter (name, value) values ('topics', 0);

-- The version of a topic's last change in a cluster; 0 for one that only a server alone changed.
alter table topic add column changed bigint not null default 0;
