package org.svcmailbox.core.settings;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.svcmailbox.capability.IpRange;
import org.svcmailbox.capability.RootKey;

/** The settings of workers, limits, retention, capabilities and rates. */
public final class ServiceSetting {
  /** The most shard workers of a service. */
  public static final int MOST_WORKERS = 64;

  /** At ten thousand messages a second, this fits in memory. */
  private static final Duration AMNESIC_LEDGER = Duration.ofMinutes(10);

  private static final Duration LEDGER = Duration.ofDays(90);

  /** Half of SQLite's share of memory; keys need the other half. */
  private static final long AMNESIC_LEDGER_BYTES = 536_870_912;

  private static final long LEDGER_BYTES = 8_589_934_592L;

  private static final Duration AMNESIC_HISTORY = Duration.ofHours(1);
  private static final Duration HISTORY = Duration.ofDays(7);

  static final SettingGroup GROUP = new SettingGroup();

  public static final Setting<Integer> WORKERS =
      GROUP
          .count("workers")
          .from(1)
          .to(MOST_WORKERS)
          .byDefault("cores", on -> Math.min(on.cores(), MOST_WORKERS));

  public static final Setting<Integer> READY_SHARDS =
      GROUP.count("ready_shards").from(1).to(256).byDefault(4);

  public static final Setting<Integer> SHARD_CAPACITY =
      GROUP.count("shard_capacity").from(1).to(1_000_000).byDefault(10_000);

  public static final Setting<Integer> GLOBAL_INFLIGHT =
      GROUP.count("global_inflight").from(1).to(1_000_000).byDefault(20_000);

  public static final Setting<Integer> GLOBAL_INFLIGHT_BYTES =
      GROUP.size("global_inflight_bytes").from(1_048_576).to(2_000_000_000).byDefault(268_435_456);

  public static final Setting<Integer> DEDUP_CAPACITY =
      GROUP.count("dedup_capacity").from(1).to(100_000_000).byDefault(3_200_000);

  public static final Setting<Optional<Integer>> DISK_RESERVE =
      GROUP.size("disk_reserve").from(33_554_432).to(2_000_000_000).unless("auto");

  public static final Setting<Integer> PROJECTION_ENTRIES =
      GROUP.count("projection.entries").from(128).to(65_536).byDefault(4_096);

  public static final Setting<Integer> PROJECTION_BYTES =
      GROUP.size("projection.bytes").from(1_048_576).to(67_108_864).byDefault(4_194_304);

  public static final Setting<Integer> MAX_FRAME =
      GROUP.size("max_frame").from(1).to(1_048_576).byDefault(1_048_576);

  public static final Setting<Integer> MAX_BATCH =
      GROUP.count("max_batch").from(1).to(100).byDefault(100);

  public static final Setting<Integer> MAX_ATTRS =
      GROUP.count("max_attrs").from(0).to(32).byDefault(32);

  public static final Setting<Integer> MAX_ATTR_VALUE =
      GROUP.size("max_attr_value").from(1).to(1_024).byDefault(1_024);

  public static final Setting<Integer> STREAM_CHUNK =
      GROUP.size("stream_chunk").from(1_024).to(65_536).byDefault(65_536);

  public static final Setting<Integer> MAX_CONNS =
      GROUP.count("max_conns").from(1).to(8_192).byDefault(4_096);

  public static final Setting<Integer> MAX_CONNS_PER_ADDRESS =
      GROUP.count("max_conns_per_address").from(1).to(8_192).byDefault(1_024);

  public static final Setting<Integer> MAX_WAITING =
      GROUP.count("max_waiting").from(1).to(1_000_000).byDefault(10_000);

  public static final Setting<Integer> STREAMS =
      GROUP.count("streams").from(1).to(100_000).byDefault(1_024);

  public static final Setting<Integer> FAIR_SHARE =
      GROUP.count("fair_share").from(1).to(100).byDefault(75);

  public static final Setting<Integer> MAX_ATTEMPTS =
      GROUP.count("max_attempts").from(1).to(1_000).byDefault(5);

  public static final Setting<Duration> VISIBILITY_MIN =
      GROUP.duration("visibility_min").from("250ms").to("12h").byDefault("250ms");

  public static final Setting<Duration> DEFAULT_VISIBILITY =
      GROUP.duration("default_visibility").from("250ms").to("12h").byDefault("5s");

  public static final Setting<Duration> VISIBILITY_MAX =
      GROUP.duration("visibility_max").from("250ms").to("12h").byDefault("12h");

  public static final Setting<Duration> T_REPLAY =
      GROUP.duration("t_replay").from("1s").to("7d").byDefault("300s");

  public static final Setting<Duration> BACKOFF_BASE =
      GROUP.duration("backoff_base").from("1ms").to("1h").byDefault("200ms");

  public static final Setting<Duration> BACKOFF_MAX =
      GROUP.duration("backoff_max").from("1ms").to("12h").byDefault("60s");

  public static final Setting<Duration> RETENTION_READY =
      GROUP.duration("retention.ready").from("1s").to("365d").byDefault("7d");

  public static final Setting<Duration> RETENTION_DLQ =
      GROUP.duration("retention.dlq").from("1s").to("365d").byDefault("14d");

  public static final Setting<Integer> RETENTION_READY_COUNT =
      GROUP.count("retention.ready_count").from(1).to(1_000_000_000).byDefault(10_000_000);

  public static final Setting<Integer> RETENTION_INFLIGHT_COUNT =
      GROUP.count("retention.inflight_count").from(1).to(1_000_000).byDefault(20_000);

  public static final Setting<Integer> RETENTION_DLQ_COUNT =
      GROUP.count("retention.dlq_count").from(1).to(100_000_000).byDefault(1_000_000);

  public static final Setting<Integer> DLQ_MAX_JOBS =
      GROUP.count("dlq.max_jobs").from(1).to(100).byDefault(4);

  public static final Setting<Integer> DLQ_RATE =
      GROUP.count("dlq.rate").from(1).to(10_000).byDefault(500);

  public static final Setting<Duration> RETENTION_LEDGER =
      GROUP
          .duration("retention.ledger")
          .from("1m")
          .to("3650d")
          .byDefault("90d", on -> on.amnesia() ? AMNESIC_LEDGER : LEDGER);

  public static final Setting<Long> RETENTION_LEDGER_BYTES =
      GROUP
          .longSize("retention.ledger_bytes")
          .from(16_777_216L)
          .to(1_099_511_627_776L)
          .byDefault("8589934592", on -> on.amnesia() ? AMNESIC_LEDGER_BYTES : LEDGER_BYTES);

  public static final Setting<Duration> RETENTION_AUDIT =
      GROUP.duration("retention.audit").from("1d").to("3650d").byDefault("365d");

  public static final Setting<Duration> READ_TIMEOUT =
      GROUP.duration("read_timeout").from("100ms").to("60s").byDefault("5s");

  public static final Setting<Duration> WRITE_TIMEOUT =
      GROUP.duration("write_timeout").from("100ms").to("30s").byDefault("5s");

  public static final Setting<Duration> IDLE_TIMEOUT =
      GROUP.duration("idle_timeout").from("1s").to("10m").byDefault("60s");

  public static final Setting<Duration> DRAIN_DEADLINE =
      GROUP.duration("drain_deadline").from("1s").to("5s").byDefault("5s");

  public static final Setting<Boolean> TOPICS_AUTO_CREATE =
      GROUP.flag("topics.auto_create").byDefault(true);

  public static final Setting<Integer> TOPICS_MAX =
      GROUP.count("topics.max").from(1).to(100_000).byDefault(10_000);

  public static final Setting<Integer> METRICS_TOPICS =
      GROUP.count("metrics.topics").from(0).to(1_000).byDefault(100);

  public static final Setting<Optional<List<IpRange>>> METRICS_FROM =
      GROUP
          .addresses(
              "metrics.from", "any, or address ranges such as 10.0.0.0/8, several with commas")
          .unless("any");

  public static final Setting<Duration> CAP_CACHE_TTL =
      GROUP.duration("cap_cache_ttl").from("5s").to("120s").byDefault("30s");

  public static final Setting<Duration> CAP_OUTAGE_TTL =
      GROUP.duration("cap_outage_ttl").from("5s").to("7d").byDefault("1h");

  public static final Setting<Map<String, RootKey>> ROOT_KEYS =
      GROUP
          .form(
              "capability.root_keys",
              "id=base64 of 32 to 64 bytes, several with commas",
              text -> RootKeyList.parse(SettingGroup.elements(text)))
          .byDefault("none");

  public static final Setting<Integer> MAX_REVOKED =
      GROUP.count("capability.max_revoked").from(1).to(1_000_000).byDefault(100_000);

  public static final Setting<Integer> MAX_MINTED =
      GROUP.count("capability.max_minted").from(1).to(10_000_000).byDefault(100_000);

  public static final Setting<Integer> RATE_ADDRESS =
      GROUP.count("rate.address").from(0).to(1_000_000).byDefault(0);

  public static final Setting<Integer> RATE_TOPIC =
      GROUP.count("rate.topic").from(0).to(1_000_000).byDefault(0);

  public static final Setting<Integer> RATE_BUCKETS =
      GROUP.count("rate.buckets").from(1).to(1_000_000).byDefault(100_000);

  public static final Setting<List<IpRange>> TRUSTED_PROXIES =
      GROUP
          .addresses("trusted_proxies", "address ranges such as 10.0.0.0/8, several with commas")
          .byDefault("none");

  public static final Setting<Integer> EVENTS_MAX_STREAMS =
      GROUP.count("events.max_streams").from(1).to(10_000).byDefault(100);

  public static final Setting<Duration> HISTORY_KEEP =
      GROUP
          .duration("history.keep")
          .from("1h")
          .to("14d")
          .byDefault("7d", on -> on.amnesia() ? AMNESIC_HISTORY : HISTORY);

  public static final Setting<Integer> HISTORY_TOPICS =
      GROUP.count("history.topics").from(0).to(1_000).byDefault(200);

  public static final Setting<Duration> ALERT_READY_AGE =
      GROUP.duration("alert_ready_age").from("1s").to("365d").byDefault("5m");

  private ServiceSetting() {}
}
