package org.svcmailbox.core.stream;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.delivery.Refusal;

/** A stream's reaction to a refused RECV. Pure. */
sealed interface Reaction {
  /** Lease nothing for a while. */
  record Wait(Pause why, Duration time) implements Reaction {}

  /** End the stream. */
  record Stop(StreamEnd end, @Nullable Refusal why) implements Reaction {}

  /** The wait after refusals that are temporary but give no time. */
  Duration SOON = Duration.ofSeconds(1);

  static Reaction to(Refusal refusal) {
    return switch (refusal.problem()) {
      case E_CAP_AUTH, E_CAP_SCOPE -> new Stop(StreamEnd.CAPABILITY, refusal);
      case E_NOT_FOUND -> new Stop(StreamEnd.TOPIC, null);
      case E_SATURATED -> new Wait(bound(refusal.reason()), time(refusal));
      case E_UNAVAILABLE ->
          refusal.reason().equals(Refusal.DRAINING)
              ? new Stop(StreamEnd.DRAIN, null)
              : new Wait(Pause.UNAVAILABLE, time(refusal));
      default -> new Stop(StreamEnd.ERROR, refusal);
    };
  }

  private static Pause bound(String reason) {
    return reason.startsWith("rate_") ? Pause.RATE : Pause.BOUND;
  }

  private static Duration time(Refusal refusal) {
    Duration after = refusal.retryAfter();
    return after == null ? SOON : after;
  }
}
