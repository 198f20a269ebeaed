package org.svcmailbox.core.condition;

import java.time.Duration;

/**
 * The kinds of conditions, the most urgent first. Their thresholds are those of the alert rules.
 */
public enum ConditionKind {
  /** A part of the service is down. */
  PART_DOWN("part_down", Duration.ZERO, "not-ready"),
  /** The data disk has less room than four reserves. */
  DISK_LOW("disk_low", Duration.ZERO, "disk-nearly-full"),
  /** No other broker of the pair waits to take over. */
  STANDBY_MISSING("standby_missing", Duration.ofMinutes(1), "no-waiting-broker"),
  /** A bound that all callers share is nearly full. */
  BOUND_SATURATED("saturated", Duration.ZERO, "refusals"),
  /** A topic is about to refuse SENDs. */
  TOPIC_SATURATED("saturated", Duration.ofMinutes(5), "saturation"),
  /** A message has been ready for too long. */
  READY_OVERDUE("ready_overdue", Duration.ofMinutes(5), "oldest-message"),
  /** A topic has new dead letters. */
  LETTERS_NEW("letters_new", Duration.ZERO, "dead-letters");

  private final String id;
  private final Duration patience;
  private final String section;

  ConditionKind(String id, Duration patience, String section) {
    this.id = id;
    this.patience = patience;
    this.section = section;
  }

  public String id() {
    return id;
  }

  /** How long it must hold without a break before it fires. */
  Duration patience() {
    return patience;
  }

  String section() {
    return section;
  }
}
