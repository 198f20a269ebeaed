package org.svcmailbox.core.metrics;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/**
 * All metrics by name. Units are only shown to readers, because servers would append a registered
 * unit to the name.
 */
public enum Family {
  MAILBOX_READY(
      Kind.GAUGE, "0 or 1", "1 while `all` calls are accepted, or those that only `reads`", "for"),
  MAILBOX_BUILD_INFO(
      Kind.GAUGE, "flag", "1 for the build that runs", "version", "revision", "server"),
  MAILBOX_START_TIME_SECONDS(Kind.GAUGE, "seconds", "When the process began, since 1970"),
  DISK_FREE_BYTES(Kind.GAUGE, "bytes", "Free room on the data disk"),
  DISK_RESERVE_BYTES(Kind.GAUGE, "bytes", "Free room below which SENDs are refused"),
  BOUND_USED(Kind.GAUGE, "of the bound", "Use of a bound", "bound"),
  BOUND_CAPACITY(Kind.GAUGE, "of the bound", "Capacity of a bound", "bound"),
  BOUND_LARGEST(
      Kind.GAUGE,
      "of the bound",
      "Part of a bound that its largest topic, capability or namespace holds",
      "bound",
      "of"),
  DLQ_PROFILE(Kind.GAUGE, "flag", "1 for `durable` or `ephemeral` dead letters", "profile"),
  REJECTED_TOTAL(Kind.COUNTER, "refusals", "Refusals by reason", "reason"),
  BUSY_REJECTIONS_TOTAL(
      Kind.COUNTER, "refusals", "Refusals with 429 or 503 by endpoint", "endpoint"),
  GRPC_CALLS_TOTAL(Kind.COUNTER, "calls", "Calls over gRPC that ended", "method", "code"),
  GRPC_LATENCY_SECONDS(
      Kind.HISTOGRAM, "seconds", "Whole calls over gRPC, and openings of streams", "method"),
  BROKER_CONNECTED(Kind.GAUGE, "0 or 1", "1 while the broker answers"),
  BROKER_CONNECTIONS_LOST_TOTAL(Kind.COUNTER, "connections", "Connections that the broker lost"),
  BROKER_FAILOVERS_TOTAL(
      Kind.COUNTER, "failovers", "Times that another broker of the pair answered"),
  MAILBOX_BROKER_STANDBY(
      Kind.GAUGE, "0 or 1", "1 while another broker of a pair waits; NaN if there is to be none"),
  STORE_MISMATCH(Kind.GAUGE, "0 or 1", "1 if database and broker are not from one moment"),
  PROJECTION_LAG_BATCHES(Kind.GAUGE, "batches", "Batches of SENDs that the database lacks"),
  PROJECTION_LAG_BYTES(Kind.GAUGE, "bytes", "Their keys and ledger entries"),
  PROJECTION_LAG_SECONDS(Kind.GAUGE, "seconds", "Age of the oldest of them"),
  PROJECTION_FAILURES_TOTAL(Kind.COUNTER, "failures", "Failed transactions of the projection"),
  PROJECTION_BROKEN(
      Kind.GAUGE,
      "workers",
      "Workers whose projection stopped: the database fell back behind their log, or refuses a batch"),
  IO_TIMEOUTS_TOTAL(Kind.COUNTER, "timeouts", "Operations ended by a timeout", "op"),
  CAPABILITY_CACHE_SIZE(Kind.GAUGE, "capabilities", "Cached verifications"),
  CAPABILITY_CACHE_PURGES_TOTAL(
      Kind.COUNTER, "purges", "Times a spike of denials had all capabilities verified again"),
  CAPABILITY_BELIEVED_TOTAL(
      Kind.COUNTER, "calls", "Calls with a stale verification while the database is away"),
  QUEUE_DEPTH(Kind.GAUGE, "messages", "Ready and delayed messages", "topic", "shard"),
  QUEUE_BYTES(
      Kind.GAUGE,
      "bytes",
      "Size in the broker of all messages, leased ones included",
      "topic",
      "shard"),
  INFLIGHT(Kind.GAUGE, "messages", "Leased messages", "topic", "shard"),
  SATURATION(Kind.GAUGE, "0 to 1", "Nearness to refusing SENDs; 1 refuses", "topic", "shard"),
  REORDER_DEPTH_MAX(
      Kind.GAUGE, "messages", "Most messages delivered before an earlier one", "shard"),
  OLDEST_READY_AGE_SECONDS(Kind.GAUGE, "seconds", "Age of the oldest ready message", "topic"),
  MAILBOX_READY_OVERDUE_SECONDS(
      Kind.GAUGE, "seconds", "Age of the oldest ready message beyond alert_ready_age", "topic"),
  TOPIC_PAUSED(Kind.GAUGE, "0 or 1", "1 while a topic is paused", "topic"),
  TOPIC_REBALANCING(Kind.GAUGE, "shards", "Surplus shards not yet empty", "topic"),
  MAILBOX_HISTORY_LOST_TOTAL(
      Kind.COUNTER, "minutes", "Minutes of the history that a long outage of the database lost"),
  MAILBOX_TOPIC_SENT_TOTAL(Kind.COUNTER, "messages", "New messages on disk", "topic"),
  MAILBOX_TOPIC_DELIVERED_TOTAL(
      Kind.COUNTER, "messages", "Messages passed to clients, repeated ones included", "topic"),
  MAILBOX_TOPIC_REDELIVERED_TOTAL(
      Kind.COUNTER, "messages", "Messages passed to clients in a later attempt", "topic"),
  MAILBOX_TOPIC_ACKED_TOTAL(
      Kind.COUNTER, "messages", "Messages that clients acknowledged", "topic"),
  DLQ_TOTAL(Kind.COUNTER, "messages", "New dead letters by reason", "topic", "reason"),
  DLQ_DEPTH(Kind.GAUGE, "messages", "Dead letters of a topic", "topic"),
  DLQ_ENDED_TOTAL(Kind.COUNTER, "messages", "Dead letters removed by retention", "retention"),
  UNDELIVERABLE_DEPTH(
      Kind.GAUGE, "messages", "Messages that the broker gave up on, not yet sorted"),
  DLQ_JOB_LETTERS_TOTAL(Kind.COUNTER, "messages", "Dead letters of jobs by result", "result"),
  RETENTION_SECONDS(Kind.GAUGE, "seconds", "Longest time in a state", "topic", "state"),
  RETENTION_MESSAGES(Kind.GAUGE, "messages", "Most messages in a state", "topic", "state"),
  RATE_BUCKETS(Kind.GAUGE, "rates", "Rates being counted"),
  ENQUEUE_LATENCY_SECONDS(Kind.HISTOGRAM, "seconds", "From SEND to disk"),
  DEQUEUE_LATENCY_SECONDS(Kind.HISTOGRAM, "seconds", "From RECV to delivery"),
  ACK_LATENCY_SECONDS(Kind.HISTOGRAM, "seconds", "From ACK to disk"),
  REQUEST_LATENCY_SECONDS(Kind.HISTOGRAM, "seconds", "Whole requests, waits included", "op"),
  DELIVERY_SECONDS(
      Kind.HISTOGRAM, "seconds", "From SEND to the output of a stream, first deliveries", "door"),
  STREAM_OPEN(Kind.GAUGE, "streams", "Open streams of messages", "door"),
  STREAM_UNSETTLED(Kind.GAUGE, "messages", "Messages in the windows of open streams", "door"),
  STREAM_CLOSED_TOTAL(Kind.COUNTER, "streams", "Ended streams by reason", "door", "reason"),
  STREAM_MESSAGES_TOTAL(Kind.COUNTER, "messages", "Messages passed to outputs", "door"),
  STREAM_BLOCKED_SECONDS_TOTAL(
      Kind.COUNTER, "seconds", "Time in which streams leased nothing, by reason", "door", "why"),
  STREAM_RETURNED_TOTAL(Kind.COUNTER, "messages", "Messages that went back unread", "door", "why"),
  QUEUE_DROPPED_TOTAL(Kind.COUNTER, "commands", "Commands that a full queue turned away", "queue"),
  TASKS_SPAWNED_TOTAL(Kind.COUNTER, "tasks", "Tasks begun", "kind"),
  TASKS_ABORTED_TOTAL(Kind.COUNTER, "tasks", "Tasks failed or abandoned", "kind"),
  TASKS_CANCELED_TOTAL(Kind.COUNTER, "tasks", "Tasks told to end early", "kind"),
  SCANNER_WAKE_JITTER_MS(
      Kind.SUMMARY, "milliseconds", "How late the end of a lease that ran out was acted upon"),
  BACKOFF_RETRIES_TOTAL(Kind.COUNTER, "retries", "Retries after the service's own backoff", "op"),
  REQUEUE_BACKOFF_TOTAL(Kind.COUNTER, "messages", "Messages returned with a delay"),
  SCHEDULED_CANCELED_TOTAL(Kind.COUNTER, "messages", "Scheduled messages that operators removed"),
  HANDOVER_LEASES_TOTAL(
      Kind.COUNTER,
      "leases",
      "Leases that a start, or a node with a new group, took over or did not find",
      "result"),
  SESSION_QUESTIONS_TOTAL(
      Kind.COUNTER, "questions", "Questions to the broker whether it still has a worker's session"),
  CLUSTER_NODES(
      Kind.GAUGE, "nodes", "Nodes of the cluster by state, as this one sees them", "state"),
  CLUSTER_GROUPS(
      Kind.GAUGE, "groups", "Groups of the cluster by their state on this node", "state"),
  CLUSTER_MAP_VERSION(Kind.GAUGE, "changes", "Changes of the map of groups"),
  CLUSTER_BEAT_AGE_SECONDS(Kind.GAUGE, "seconds", "Since the database last took this node's beat"),
  CLUSTER_TAKEOVERS_TOTAL(Kind.COUNTER, "groups", "Groups that came to this node", "kind"),
  CLUSTER_TAKEOVER_SECONDS(
      Kind.HISTOGRAM, "seconds", "From the wish that this node has a group to its service"),
  PEER_CALLS_TOTAL(Kind.COUNTER, "calls", "Calls for another node by outcome", "peer", "outcome"),
  PEER_FRAMES_TOTAL(Kind.COUNTER, "frames", "Frames of calls to another node", "peer"),
  PEER_READY_TOTAL(
      Kind.COUNTER,
      "questions",
      "Questions to another node for topics with messages, by outcome",
      "peer",
      "outcome"),
  PEER_UNREACHABLE(Kind.GAUGE, "0 or 1", "1 while another node is not reached", "peer"),
  PEER_COUNTS_AGE_SECONDS(Kind.GAUGE, "seconds", "Since another node last told its counts", "peer"),
  PEER_LATENCY_SECONDS(Kind.HISTOGRAM, "seconds", "From a frame of calls to its answers"),
  INTEGRITY_FAIL_TOTAL(
      Kind.COUNTER, "messages", "Messages that differ from what was sent", "reason");

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
   * Makes a metric with one value for each label, from a bounded set. {@code value} must be cheap
   * on any thread.
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
