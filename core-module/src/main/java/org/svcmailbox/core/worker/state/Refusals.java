package org.svcmailbox.core.worker.state;

import java.time.Duration;
import org.svcmailbox.core.delivery.Refusal;

/** The refusals of a worker that cannot carry out a command. */
public final class Refusals {
  /** The reason of {@link #notHere}. */
  public static final String NOT_HERE = "group_moving";

  private static final Duration REPEAT_AFTER = Duration.ofSeconds(1);

  /** A group moves within this time. */
  private static final Duration SOON = Duration.ofMillis(100);

  private Refusals() {}

  public static Refusal brokerAway() {
    return Refusal.unavailable(
        Refusal.BROKER_AWAY,
        "the broker is away; the call may or may not have taken effect",
        REPEAT_AFTER);
  }

  /** The group of the message or shard is another process's; nothing was done. */
  public static Refusal notHere() {
    return Refusal.unavailable(NOT_HERE, "the call belongs to another node; repeat it", SOON);
  }

  /** A SEND to a missing queue would cost the worker its session and every lease. */
  public static Refusal topicChanged() {
    return Refusal.unavailable(
        "topic_changed",
        "the topic was deleted or has fewer shards now; repeat the call",
        REPEAT_AFTER);
  }
}
