package org.svcmailbox.core.route;

import java.time.Duration;
import java.util.Objects;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.problem.ReasonedOutage;

/** The node that serves a group could not carry out its part of a call. */
public final class OwnerAwayException extends ReasonedOutage {
  private static final long serialVersionUID = 1L;
  private static final Duration SOON = Duration.ofSeconds(1);

  OwnerAwayException(Refusal why) {
    this(why.detail(), why.reason(), Objects.requireNonNullElse(why.retryAfter(), SOON));
  }

  private OwnerAwayException(String message, String reason, Duration retryAfter) {
    super(message, reason, retryAfter);
  }

  /**
   * The failure of a change of which a part is done. The reasons of other refusals promise that
   * nothing was changed.
   */
  public static OwnerAwayException partly(String done, RuntimeException failure) {
    return new OwnerAwayException(
        done + ": " + failure.getMessage(), RouteRefusals.ownerLost().reason(), SOON);
  }
}
