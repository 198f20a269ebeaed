package org.svcmailbox.core.capability;

import java.util.Locale;
import org.svcmailbox.core.problem.Problem;

/** Why a capability does not cover a call. */
public enum Denial {
  EXPIRED(Problem.E_CAP_AUTH, "The capability has expired"),
  NOT_YET(Problem.E_CAP_AUTH, "The capability is not valid yet"),
  REVOKED(Problem.E_CAP_AUTH, "The capability was revoked"),
  /** Whether it was revoked cannot be found out now. */
  UNVERIFIED(Problem.E_UNAVAILABLE, "Capabilities cannot be checked while the database is away"),
  TOPIC(Problem.E_CAP_SCOPE, "The capability is not for this topic"),
  MAILBOX(Problem.E_CAP_SCOPE, "The capability is for a mailbox of the rendezvous door"),
  OPERATION(Problem.E_CAP_SCOPE, "The capability is not for this operation"),
  ADDRESS(Problem.E_CAP_SCOPE, "The capability is not for this address"),
  /** A condition that this service does not know, and so cannot find fulfilled. */
  UNKNOWN_CAVEAT(Problem.E_CAP_SCOPE, "The capability has a caveat that is not known here");

  private final Problem problem;
  private final String detail;

  Denial(Problem problem, String detail) {
    this.problem = problem;
    this.detail = detail;
  }

  /** What the outside is told this is. */
  public Problem problem() {
    return problem;
  }

  /** The same in a sentence. */
  public String detail() {
    return detail;
  }

  /** The form clients see. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Whether the holder of a lease may do {@code operation} on it all the same. The capability was
   * good when the lease was taken, so an ACK or a NACK still settles it. An EXTEND is new: it is
   * denied once the capability is known to be over.
   */
  boolean sparesHolder(Operation operation) {
    return switch (this) {
      case UNVERIFIED -> true;
      case EXPIRED, REVOKED -> operation != Operation.EXTEND;
      default -> false;
    };
  }
}
