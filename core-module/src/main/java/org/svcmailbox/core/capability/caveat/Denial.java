package org.svcmailbox.core.capability.caveat;

import java.util.Locale;
import java.util.Map;
import org.svcmailbox.capability.Condition;
import org.svcmailbox.capability.Operation;
import org.svcmailbox.core.problem.Problem;

/** Why a capability does not cover a call. */
public enum Denial {
  EXPIRED(Problem.E_CAP_AUTH, "The capability has expired"),
  NOT_YET(Problem.E_CAP_AUTH, "The capability is not valid yet"),
  REVOKED(Problem.E_CAP_AUTH, "The capability was revoked"),
  /** The store of revocations is unreachable. */
  UNVERIFIED(Problem.E_UNAVAILABLE, "Capabilities cannot be checked while the database is away"),
  TOPIC(Problem.E_CAP_SCOPE, "The capability is not for this topic"),
  MAILBOX(Problem.E_CAP_SCOPE, "The capability is for a mailbox of the rendezvous door"),
  OPERATION(Problem.E_CAP_SCOPE, "The capability is not for this operation"),
  IDEM_KEY(Problem.E_CAP_SCOPE, "The capability is not for this idempotency key"),
  ADDRESS(Problem.E_CAP_SCOPE, "The capability is not for this address"),
  /** An unknown condition can never be satisfied. */
  UNKNOWN_CAVEAT(Problem.E_CAP_SCOPE, "The capability has a caveat that is not known here"),
  /** The capability has more counted caveats than the service counts. */
  TOO_MANY_CAVEATS(
      Problem.E_CAP_SCOPE, "The capability has over 8 rates or over 8 numbers of leases");

  private static final Map<Class<? extends Condition>, Denial> OF_CONDITIONS =
      Map.of(
          Condition.OneTopic.class, TOPIC,
          Condition.TopicsBelow.class, TOPIC,
          Condition.OneMailbox.class, MAILBOX,
          Condition.KeysBelow.class, IDEM_KEY,
          Condition.Operations.class, OPERATION,
          Condition.Expires.class, EXPIRED,
          Condition.NotBefore.class, NOT_YET,
          Condition.From.class, ADDRESS);

  private final Problem problem;
  private final String detail;

  Denial(Problem problem, String detail) {
    this.problem = problem;
    this.detail = detail;
  }

  /** The denial by a condition that is not satisfied. */
  static Denial of(Condition condition) {
    return OF_CONDITIONS.getOrDefault(condition.getClass(), UNKNOWN_CAVEAT);
  }

  public Problem problem() {
    return problem;
  }

  public String detail() {
    return detail;
  }

  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether the capability lacks the right, at any time and whatever the store answers. */
  public boolean isByRight() {
    return switch (this) {
      case EXPIRED, NOT_YET, UNVERIFIED -> false;
      default -> true;
    };
  }

  /**
   * Whether a lease's holder may still do {@code operation}. ACK and NACK are allowed because the
   * capability was valid when the lease was taken; EXTEND is a new use and is denied.
   */
  public boolean sparesHolder(Operation operation) {
    return switch (this) {
      case UNVERIFIED -> true;
      case EXPIRED, REVOKED -> operation != Operation.EXTEND;
      default -> false;
    };
  }
}
