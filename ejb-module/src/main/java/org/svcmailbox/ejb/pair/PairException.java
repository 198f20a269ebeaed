package org.svcmailbox.ejb.pair;

import org.svcmailbox.core.problem.StartException;

/** The database and the broker do not belong together; a later start would fail the same way. */
public final class PairException extends StartException {
  private static final long serialVersionUID = 1L;

  /** Takes one line for operators that says what is wrong and what to do. */
  public PairException(String what) {
    super(what, true, null);
  }
}
