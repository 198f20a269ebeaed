package org.svcmailbox.core.delivery;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.capability.Denial;
import org.svcmailbox.core.problem.Problem;

/**
 * The service did not do what was asked.
 *
 * @param problem which kind
 * @param reason a short, constant word for metrics and clients, such as {@code shard_capacity}
 * @param detail a sentence for people
 * @param retryAfter when it makes sense to try again, null where it does not
 */
public record Refusal(Problem problem, String reason, String detail, @Nullable Duration retryAfter)
    implements SendOutcome, RecvOutcome, SettleOutcome {
  /** The reason of a worker that lost its session: what it had begun may be on disk. */
  static final String BROKER_AWAY = "broker_away";

  /** A bound is reached. */
  public static Refusal saturated(String reason, String detail, Duration retryAfter) {
    return new Refusal(Problem.E_SATURATED, reason, detail, retryAfter);
  }

  /** Whether a SEND that was refused with this may have taken effect all the same. */
  public boolean isInDoubt() {
    return reason.equals(BROKER_AWAY);
  }

  /** The caller's capability does not cover it. */
  static Refusal denied(Denial denial) {
    Duration retryAfter = denial.problem().retryable() ? Duration.ofSeconds(1) : null;
    return new Refusal(denial.problem(), denial.text(), denial.detail(), retryAfter);
  }

  /** The broker or the database is away, or the service is going away. */
  public static Refusal unavailable(String reason, String detail, Duration retryAfter) {
    return new Refusal(Problem.E_UNAVAILABLE, reason, detail, retryAfter);
  }
}
