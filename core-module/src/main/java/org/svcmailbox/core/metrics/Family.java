package org.svcmailbox.core.metrics;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/**
 * Metrics of one name: everything there is, and its table in {@code docs/METRICS.md}. The unit is
 * for readers only: where it were part of what is registered, servers would append it to the name.
 */
public enum Family {
  BOUND_USED(Kind.GAUGE, "of the bound", "How much of a bound is used", "bound"),
  BOUND_CAPACITY(Kind.GAUGE, "of the bound", "How much of a bound there is", "bound"),
  DLQ_PROFILE(Kind.GAUGE, "flag", "1 for what becomes of dead letters with the process", "profile"),
  REJECTED_TOTAL(Kind.COUNTER, "refusals", "What was refused, by reason", "reason"),
  BUSY_REJECTIONS_TOTAL(
      Kind.COUNTER, "refusals", "What was refused with 429 or 503, by door", "endpoint"),
  IO_TIMEOUTS_TOTAL(
      Kind.COUNTER, "connections", "Connections that were closed for being slow", "op"),
  CAPABILITY_CACHE_SIZE(Kind.GAUGE, "capabilities", "Capabilities whose verification is kept"),
  CAPABILITY_CACHE_PURGES_TOTAL(
      Kind.COUNTER, "purges", "How often a spike of denials made everything be verified anew"),
  RATE_BUCKETS(Kind.GAUGE, "rates", "Rates of addresses and capabilities that are being counted");

  /** Whether a value goes up and down or only up. */
  public enum Kind {
    GAUGE,
    COUNTER;

    /** The word that people and Prometheus read. */
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

  /** The name, exactly as it is exported. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether its values go up and down or only up. */
  public Kind kind() {
    return kind;
  }

  /** What is counted or measured. */
  public String unit() {
    return unit;
  }

  /** The meaning in a sentence without its full stop. */
  public String help() {
    return help;
  }

  /** The keys of its labels, in order. */
  public List<String> labels() {
    return labels;
  }

  /**
   * One of its metrics.
   *
   * @param value read at any time, by any thread, at no cost worth counting
   * @param labelValues one for each label, in order; from a bounded set
   */
  public Metric of(LongSupplier value, String... labelValues) {
    return ofDouble(value::getAsLong, labelValues);
  }

  /** As {@link #of}, for what is no whole number. */
  public Metric ofDouble(DoubleSupplier value, String... labelValues) {
    if (labelValues.length != labels.size()) {
      throw new IllegalArgumentException(text() + " has the labels " + labels);
    }
    Map<String, String> tags = new LinkedHashMap<>();
    for (int i = 0; i < labelValues.length; i++) {
      tags.put(labels.get(i), labelValues[i]);
    }
    return new Metric(this, tags, value);
  }
}
