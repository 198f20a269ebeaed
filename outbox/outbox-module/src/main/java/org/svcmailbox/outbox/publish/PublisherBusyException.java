package org.svcmailbox.outbox.publish;

/** Another publisher works on a database that lets one work at a time. */
public final class PublisherBusyException extends OutboxStoreException {
  private static final long serialVersionUID = 1L;

  public PublisherBusyException(String message) {
    super(message);
  }
}
