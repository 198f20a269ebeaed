package org.svcmailbox.client;

/** The body cannot be encoded or decoded, or is too large. A retry fails again. */
public final class SerializationException extends MailboxException {
  private static final long serialVersionUID = 1L;

  public SerializationException(String message) {
    super(message);
  }

  public SerializationException(String message, Throwable cause) {
    super(message, cause);
  }
}
