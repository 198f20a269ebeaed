package org.svcmailbox.core.worker.state;

import java.time.Duration;
import org.svcmailbox.core.delivery.Refusal;

/** The refusals of a worker that cannot carry out a command. */
public final class Refusals {
  private static final Duration REPEAT_AFTER = Duration.ofSeconds(1);

  private Refusals() {}

  public static Refusal brokerAway() {
    return Refusal.unavailable(
        Refusal.BROKER_AWAY,
        "the broker is away; the call may or may not have taken effect",
        REPEAT_AFTER);
  }

  /** A SEND to a missing queue would cost the worker its session and every lease. */
  public static Refusal topicChanged() {
    return Refusal.unavailable(
        "topic_changed",
        "the topic was deleted or has fewer shards now; repeat the call",
        REPEAT_AFTER);
  }
}
