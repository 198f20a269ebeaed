package org.svcmailbox.core.problem;

/** The kinds of refusal a caller can meet; the names are public. */
public enum Problem {
  E_SCHEMA("The request is malformed", false),
  E_CAP_AUTH("No valid capability", false),
  E_CAP_SCOPE("The capability does not cover this", false),
  E_NOT_FOUND("No such thing", false),
  E_DUPLICATE("The key was used with another payload", false),
  E_RECEIPT("The receipt is no longer valid", false),
  E_PRECONDITION("The precondition does not hold", false),
  E_FRAME_TOO_LARGE("The payload is too large", false),
  E_INTEGRITY("A hash does not match", false),
  E_SATURATED("A limit is reached", true),
  E_UNAVAILABLE("The service cannot do this now", true),
  E_INTERNAL("The service failed", false);

  private final String title;
  private final boolean retryable;

  Problem(String title, boolean retryable) {
    this.title = title;
    this.retryable = retryable;
  }

  /** A short, constant, human-readable summary. */
  public String title() {
    return title;
  }

  /** Whether the same request can succeed later. */
  public boolean retryable() {
    return retryable;
  }
}
