-- Jobs over dead letters. Moments are milliseconds since 1970, places as in dead_letter. filter: the
-- query of a list of letters, percent-encoded; chosen and under_way: places in hex, with blanks between
-- them; errors: a msg_id, a blank and a percent-encoded sentence in each line. filter or chosen is null.
create table dlq_job (
  no ${identity},
  id varchar(32) not null unique,
  topic varchar(255) not null,
  action varchar(16) not null,
  filter text,
  chosen text,
  rate integer not null,
  to_topic varchar(255),
  note text not null,
  frontier bigint not null,
  by_reason varchar(255) not null,
  started_by varchar(255) not null,
  started_at bigint not null,
  state varchar(16) not null,
  reached bigint not null,
  under_way_segment integer not null,
  under_way text not null,
  done bigint not null,
  failed bigint not null,
  errors text not null,
  updated_at bigint not null,
  finished_at bigint,
  ending text
);

create index dlq_job_topic on dlq_job (topic, no);
create index dlq_job_state on dlq_job (state, no);
