package org.svcmailbox.core.delivery;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.capability.caveat.Denial;
import org.svcmailbox.core.problem.Problem;
import org.svcmailbox.core.problem.SaturatedException;

/**
 * The service refused a request. {@code reason} is a constant word such as {@code shard_capacity};
 * {@code retryAfter} is null when a retry makes no sense.
 */
public record Refusal(Problem problem, String reason, String detail, @Nullable Duration retryAfter)
    implements SendOutcome, RecvOutcome, SettleOutcome {
  /** The worker lost its session: its unfinished work may be on disk. */
  public static final String BROKER_AWAY = "broker_away";

  public static Refusal saturated(String reason, String detail, Duration retryAfter) {
    return new Refusal(Problem.E_SATURATED, reason, detail, retryAfter);
  }

  /** The service is stopping. */
  public static final String DRAINING = "draining";

  /** A SEND's group waits for its log, or for the end of an earlier transaction. */
  public static final String SETTLING = "settling";

  /** The refusal of a full limit as an exception, for calls that have no other outcome. */
  public SaturatedException asSaturated() {
    return new SaturatedException(reason, detail, Objects.requireNonNull(retryAfter, reason));
  }

  /** Whether the refused SEND may nevertheless have taken effect. */
  public boolean isInDoubt() {
    return reason.equals(BROKER_AWAY);
  }

  public static Refusal denied(Denial denial) {
    Duration retryAfter = denial.problem().retryable() ? Duration.ofSeconds(1) : null;
    return new Refusal(denial.problem(), denial.text(), denial.detail(), retryAfter);
  }

  public static Refusal unavailable(String reason, String detail, Duration retryAfter) {
    return new Refusal(Problem.E_UNAVAILABLE, reason, detail, retryAfter);
  }
}
