-- What was minted and has not expired, without its secret. caveats: one a line; minted_at and
-- expires_at: milliseconds since 1970, null for never.
create table minting (
  nonce varchar(32) not null primary key,
  key_id varchar(32) not null,
  caveats text not null,
  minted_by varchar(128) not null,
  minted_at bigint not null,
  expires_at bigint
);

create index minting_expiry on minting (expires_at);
create index minting_key on minting (key_id);
