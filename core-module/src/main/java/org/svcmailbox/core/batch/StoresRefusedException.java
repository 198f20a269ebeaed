package org.svcmailbox.core.batch;

import org.svcmailbox.core.problem.StartException;

/**
 * The stores are not from the same moment, and no operator has accepted that. A later start would
 * fail the same way.
 */
public final class StoresRefusedException extends StartException {
  private static final long serialVersionUID = 1L;

  /** Takes one line for operators that says what is wrong and what to do. */
  StoresRefusedException(String what) {
    super(what, true, null);
  }
}
