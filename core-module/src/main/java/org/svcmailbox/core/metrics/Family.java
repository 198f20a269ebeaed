package org.svcmailbox.core.metrics;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/**
 * All metrics by name. Units are for readers: servers would append a registered unit to the name.
 */
public enum Family {
  DISK_FREE_BYTES(Kind.GAUGE, "bytes", "Room on the disk that holds the data"),
  DISK_RESERVE_BYTES(Kind.GAUGE, "bytes", "Room on that disk below which new SENDs are refused"),
  BOUND_USED(Kind.GAUGE, "of the bound", "How much of a bound is used", "bound"),
  BOUND_CAPACITY(Kind.GAUGE, "of the bound", "How much of a bound there is", "bound"),
  DLQ_PROFILE(Kind.GAUGE, "flag", "1 for what becomes of dead letters with the process", "profile"),
  REJECTED_TOTAL(Kind.COUNTER, "refusals", "What was refused, by reason", "reason"),
  BUSY_REJECTIONS_TOTAL(
      Kind.COUNTER, "refusals", "What was refused with 429 or 503, by door", "endpoint"),
  STORE_MISMATCH(
      Kind.GAUGE, "0 or 1", "Whether database and broker were found not to belong together"),
  PROJECTION_LAG_BATCHES(
      Kind.GAUGE, "batches", "Answered batches of SENDs that the database does not have yet"),
  PROJECTION_LAG_BYTES(Kind.GAUGE, "bytes", "Their keys and ledger entries"),
  PROJECTION_LAG_SECONDS(Kind.GAUGE, "seconds", "Age of the oldest of them"),
  PROJECTION_FAILURES_TOTAL(Kind.COUNTER, "failures", "Transactions of the projection that failed"),
  PROJECTION_BROKEN(
      Kind.GAUGE, "workers", "Workers whose log does not reach back to what the database has"),
  IO_TIMEOUTS_TOTAL(Kind.COUNTER, "timeouts", "What took too long and was ended", "op"),
  CAPABILITY_CACHE_SIZE(Kind.GAUGE, "capabilities", "Capabilities whose verification is kept"),
  CAPABILITY_CACHE_PURGES_TOTAL(
      Kind.COUNTER, "purges", "How often a spike of denials made everything be verified anew"),
  QUEUE_DEPTH(
      Kind.GAUGE, "messages", "Messages of a shard that wait or are delayed", "topic", "shard"),
  QUEUE_BYTES(
      Kind.GAUGE,
      "bytes",
      "What the messages of a shard take in the broker, those under a lease too",
      "topic",
      "shard"),
  INFLIGHT(Kind.GAUGE, "messages", "Messages of a shard under a lease", "topic", "shard"),
  SATURATION(
      Kind.GAUGE,
      "0 to 1",
      "How near a shard is to refusing a SEND, 1 when it does",
      "topic",
      "shard"),
  REORDER_DEPTH_MAX(
      Kind.GAUGE,
      "messages",
      "The most messages of a shard that were handed out before one in front of them",
      "shard"),
  OLDEST_READY_AGE_SECONDS(
      Kind.GAUGE, "seconds", "Since when the oldest message that is ready has been so", "topic"),
  TOPIC_PAUSED(Kind.GAUGE, "0 or 1", "Whether a topic hands nothing out", "topic"),
  TOPIC_REBALANCING(
      Kind.GAUGE, "shards", "Shards that take nothing any more and are being emptied", "topic"),
  DLQ_TOTAL(
      Kind.COUNTER, "messages", "Messages that became dead letters, by reason", "topic", "reason"),
  DLQ_DEPTH(Kind.GAUGE, "messages", "Dead letters of a topic", "topic"),
  DLQ_ENDED_TOTAL(
      Kind.COUNTER, "messages", "Dead letters whose retention was over, by what", "retention"),
  UNDELIVERABLE_DEPTH(
      Kind.GAUGE, "messages", "Messages that the broker gave up on and nobody has sorted yet"),
  DLQ_JOB_LETTERS_TOTAL(
      Kind.COUNTER, "messages", "Dead letters that jobs dealt with, by what came of it", "result"),
  RETENTION_SECONDS(
      Kind.GAUGE, "seconds", "How long messages are kept in a state", "topic", "state"),
  RETENTION_MESSAGES(
      Kind.GAUGE, "messages", "How many messages are kept in a state", "topic", "state"),
  RATE_BUCKETS(Kind.GAUGE, "rates", "Rates of addresses and capabilities that are being counted"),
  ENQUEUE_LATENCY_SECONDS(
      Kind.HISTOGRAM, "seconds", "From a SEND given to the service until its message is on disk"),
  DEQUEUE_LATENCY_SECONDS(
      Kind.HISTOGRAM,
      "seconds",
      "From a RECV, or what it waited for, until messages are handed out"),
  ACK_LATENCY_SECONDS(
      Kind.HISTOGRAM, "seconds", "From an ACK given to the service until it is on disk"),
  REQUEST_LATENCY_SECONDS(
      Kind.HISTOGRAM, "seconds", "A whole request at the HTTP door, a wait included", "op"),
  QUEUE_DROPPED_TOTAL(
      Kind.COUNTER, "commands", "What a bounded queue had no room for and turned away", "queue"),
  TASKS_SPAWNED_TOTAL(Kind.COUNTER, "tasks", "Tasks that were begun", "kind"),
  TASKS_ABORTED_TOTAL(Kind.COUNTER, "tasks", "Tasks that failed or were left behind", "kind"),
  TASKS_CANCELED_TOTAL(Kind.COUNTER, "tasks", "Tasks that were told to end early", "kind"),
  SCANNER_WAKE_JITTER_MS(
      Kind.SUMMARY, "milliseconds", "How late the end of a lease that ran out was acted upon"),
  BACKOFF_RETRIES_TOTAL(
      Kind.COUNTER, "retries", "What is tried again after a backoff of the service's own", "op"),
  REQUEUE_BACKOFF_TOTAL(
      Kind.COUNTER, "messages", "Messages that were put back to be delivered after a delay"),
  SCHEDULED_CANCELED_TOTAL(
      Kind.COUNTER, "messages", "Messages that operators removed before their time came"),
  INTEGRITY_FAIL_TOTAL(
      Kind.COUNTER, "messages", "Messages that are not what their senders gave", "reason");

  public enum Kind {
    GAUGE,
    COUNTER,
    HISTOGRAM,
    SUMMARY;

    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final Kind kind;
  private final String unit;
  private final String help;

  @SuppressWarnings("ImmutableEnumChecker") // List.of
  private final List<String> labels;

  Family(Kind kind, String unit, String help, String... labels) {
    this.kind = kind;
    this.unit = unit;
    this.help = help;
    this.labels = List.of(labels);
  }

  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  public Kind kind() {
    return kind;
  }

  public String unit() {
    return unit;
  }

  public String help() {
    return help;
  }

  public List<String> labels() {
    return labels;
  }

  /**
   * Takes one value for each label, from a bounded set; {@code value} must be cheap on any thread.
   */
  public Metric of(LongSupplier value, String... labelValues) {
    return ofDouble(value::getAsLong, labelValues);
  }

  public Metric ofDouble(DoubleSupplier value, String... labelValues) {
    return new Metric(this, tags(labelValues), value);
  }

  Map<String, String> tags(String... labelValues) {
    if (labelValues.length != labels.size()) {
      throw new IllegalArgumentException(text() + " has the labels " + labels);
    }
    Map<String, String> tags = new LinkedHashMap<>();
    for (int i = 0; i < labelValues.length; i++) {
      tags.put(labels.get(i), labelValues[i]);
    }
    return Collections.unmodifiableMap(tags);
  }
}
