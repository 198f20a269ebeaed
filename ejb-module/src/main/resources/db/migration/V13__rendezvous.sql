-- Tokens of the rendezvous door (ADR 46). no: the order they were made in; digest: SHA-256 in hex, the token itself is
-- never stored; rights: get, post or both with a comma; mailbox: the only one it is good for, null for
-- all; created_at and expires_at: milliseconds since 1970, null for never.
create table rendezvous_token (
  no ${identity},
  id varchar(16) not null unique,
  digest varchar(64) not null,
  rights varchar(16) not null,
  mailbox varchar(64),
  created_at bigint not null,
  expires_at bigint,
  note text not null
);

create index rendezvous_token_expiry on rendezvous_token (expires_at);

-- Lists and rates that an operator set at the rendezvous door. One row, or none. allowed and blocked:
-- CIDR ranges, one a line.
create table rendezvous_access (
  one integer not null primary key,
  allowed text not null,
  blocked text not null,
  posts_per_minute integer not null,
  gets_per_minute integer not null,
  window_seconds integer not null
);
