package org.svcmailbox.ejb.pair;

/** The database and the broker do not belong together; a later start would find the same. */
public final class PairException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  /** With what is wrong and what to do, in an operator's words and one line. */
  public PairException(String what) {
    super(what);
  }
}
