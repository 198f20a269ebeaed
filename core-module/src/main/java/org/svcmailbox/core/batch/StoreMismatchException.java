package org.svcmailbox.core.batch;

import org.svcmailbox.core.problem.UnavailableException;

/** Database and broker have different histories. SENDs wait for an operator's decision. */
public final class StoreMismatchException extends UnavailableException {
  private static final long serialVersionUID = 1L;

  StoreMismatchException(String detail) {
    super(detail);
  }
}
