-- Nodes that share this database (ADR 149). Empty while a server is alone. version counts the changes of
-- the map; slot_groups: how many groups the routing slots are divided into.
create table cluster_map (
  one integer not null primary key,
  version bigint not null,
  slot_groups integer not null
);

-- The last beat of each node. life: the process. beat: rises. lives: processes of this name that followed
-- each other within ten minutes. begun: of the last one, milliseconds by its clock. no: names the node
-- in other tables, from 1.
create table cluster_node (
  no ${identity},
  node varchar(64) not null unique,
  url varchar(255) not null,
  life bigint not null,
  beat bigint not null,
  lives integer not null,
  leaving integer not null,
  fit integer not null,
  begun bigint not null
);

-- Which node should have a group, and which one last said it has. epoch: the entry that opened the
-- group's log for the holder.
create table slot_group (
  slot_group integer not null primary key,
  node varchar(64),
  holder varchar(64),
  epoch bigint not null
);
