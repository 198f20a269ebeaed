package org.svcmailbox.client;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The receipt handle no longer holds its message. The call changed nothing. Only if the cause is a
 * {@link MailboxConnectionException} did an earlier attempt of the same call get no answer; that
 * attempt may have succeeded.
 */
public final class ReceiptHandleExpiredException extends MailboxException {
  private static final long serialVersionUID = 1L;

  /** The reason why a handle is no longer valid. */
  public enum Why {
    /** The lease ran out. */
    EXPIRED,
    /** The message was delivered again and has a newer handle. */
    SUPERSEDED,
    /** The message was acknowledged. */
    ACKNOWLEDGED,
    /** The message no longer exists, and the backend does not give the reason. */
    GONE
  }

  private final Why why;

  /**
   * @param id the message's id
   */
  public ReceiptHandleExpiredException(String id, Why why) {
    this(id, why, null);
  }

  /**
   * An expiry noticed after an attempt whose answer was lost.
   *
   * @param lost the failure of the earlier attempt; null if there was none
   */
  public ReceiptHandleExpiredException(
      String id, Why why, @Nullable MailboxConnectionException lost) {
    super("the lease on message " + id + " is lost: " + why.name().toLowerCase(Locale.ROOT), lost);
    this.why = why;
  }

  /** The reason why the handle is no longer valid. */
  public Why why() {
    return why;
  }
}
