package org.svcmailbox.client;

/**
 * The resource is not in the state that the call expects. Nothing was changed, unless the answer to
 * an earlier attempt was lost: that attempt may have made the change.
 */
public final class PreconditionException extends MailboxException {
  private static final long serialVersionUID = 1L;

  public PreconditionException(String message) {
    super(message);
  }
}
