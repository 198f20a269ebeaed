package org.svcmailbox.core.batch;

import org.svcmailbox.core.problem.UnavailableException;

/**
 * The database refused a batch because of its contents, and would refuse it again. Nothing was
 * changed.
 */
public final class BatchRefusedException extends UnavailableException {
  private static final long serialVersionUID = 1L;

  /**
   * @param why the constraint and the table, in the database's words and one line
   */
  public BatchRefusedException(String why) {
    super(why);
  }
}
