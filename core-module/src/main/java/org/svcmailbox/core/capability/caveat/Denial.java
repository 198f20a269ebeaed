package org.svcmailbox.core.capability.caveat;

import java.util.Locale;
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
  /** An unknown condition cannot be satisfied. */
  UNKNOWN_CAVEAT(Problem.E_CAP_SCOPE, "The capability has a caveat that is not known here"),
  /** More counted caveats than are counted. */
  TOO_MANY_CAVEATS(
      Problem.E_CAP_SCOPE, "The capability has over 8 rates or over 8 numbers of leases");

  private final Problem problem;
  private final String detail;

  Denial(Problem problem, String detail) {
    this.problem = problem;
    this.detail = detail;
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

  /** Whether the capability has not the right, whatever the time and whether the store answers. */
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
