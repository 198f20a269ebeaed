package org.svcmailbox.ejb.pair;

/** The database and the broker do not belong together; a later start would fail the same way. */
public final class PairException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  /** Takes one line for operators that says what is wrong and what to do. */
  public PairException(String what) {
    super(what);
  }
}
