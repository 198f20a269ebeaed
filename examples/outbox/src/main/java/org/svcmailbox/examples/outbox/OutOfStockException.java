package org.svcmailbox.examples.outbox;

/** An order for more than there is. */
public class OutOfStockException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  OutOfStockException(String message) {
    super(message);
  }
}
