package org.svcmailbox.client;

/** A body that cannot be encoded or decoded, or that is too large. Repeating does not help. */
public final class SerializationException extends MailboxException {
  private static final long serialVersionUID = 1L;

  public SerializationException(String message) {
    super(message);
  }

  public SerializationException(String message, Throwable cause) {
    super(message, cause);
  }
}
