package org.svcmailbox.outbox.event;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/** A refusal of the outbox or the inbox, with the reason as a code. Nothing was changed. */
public final class OutboxException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ErrorCode code;

  public OutboxException(ErrorCode code, String message) {
    this(code, message, null);
  }

  public OutboxException(ErrorCode code, String message, @Nullable Throwable cause) {
    super(code + ": " + message, cause);
    this.code = requireNonNull(code, "code");
  }

  /** The reason. */
  public ErrorCode code() {
    return code;
  }
}
