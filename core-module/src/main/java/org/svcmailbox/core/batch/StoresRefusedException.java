package org.svcmailbox.core.batch;

/**
 * The stores are not from the same moment, and no operator has accepted that. A later start would
 * find the same.
 */
public final class StoresRefusedException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  /** With what is wrong and what to do, in an operator's words and one line. */
  StoresRefusedException(String what) {
    super(what);
  }
}
