package org.svcmailbox.core.capability;

import java.util.Locale;
import org.svcmailbox.core.problem.Problem;

/** Why a capability does not cover a call. */
public enum Denial {
  EXPIRED(Problem.E_CAP_AUTH),
  NOT_YET(Problem.E_CAP_AUTH),
  TOPIC(Problem.E_CAP_SCOPE),
  OPERATION(Problem.E_CAP_SCOPE),
  ADDRESS(Problem.E_CAP_SCOPE),
  /** A condition that this service does not know, and so cannot find fulfilled. */
  UNKNOWN_CAVEAT(Problem.E_CAP_SCOPE);

  private final Problem problem;

  Denial(Problem problem) {
    this.problem = problem;
  }

  /** What the outside is told this is. */
  public Problem problem() {
    return problem;
  }

  /** The form clients see. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
