-- The history by the minute (ADR 147). minute: minutes since 1970. topic_id 0 is the service, which has
-- a row in each minute that it runs; only that row has the last four columns. Sums: sent to dead and
-- refused. Maxima: ready to oldest_ms. left_out: topics that were not zero and have no row. started and
-- written: the process that wrote the row last, and how many minutes it had written by then.
create table history_minute (
  topic_id integer not null,
  minute integer not null,
  node integer not null,
  sent integer not null,
  delivered integer not null,
  redelivered integer not null,
  acked integer not null,
  dead integer not null,
  ready integer not null,
  scheduled integer not null,
  inflight integer not null,
  letters integer not null,
  oldest_ms bigint not null,
  refused integer,
  left_out integer,
  started bigint,
  written bigint,
  primary key (topic_id, minute, node)
)${clustered};
