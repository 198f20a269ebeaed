package org.svcmailbox.client;

import org.jspecify.annotations.Nullable;

/** The backend cannot be reached, or did not answer. */
public final class MailboxConnectionException extends MailboxException {
  private static final long serialVersionUID = 1L;

  /** How far the call certainly got. */
  public enum Outcome {
    /** The backend did not carry out the request. */
    NOT_DONE,
    /** The request may have been carried out. Repeating a send with the same key is safe. */
    UNKNOWN
  }

  private final Outcome outcome;

  public MailboxConnectionException(String message, Outcome outcome) {
    this(message, outcome, null);
  }

  public MailboxConnectionException(String message, Outcome outcome, @Nullable Throwable cause) {
    super(message, cause);
    this.outcome = outcome;
  }

  /** How far the call certainly got. */
  public Outcome outcome() {
    return outcome;
  }
}
