package org.svcmailbox.ejb.store;

import org.svcmailbox.core.problem.StartException;

/** Another server uses the database; a later start can succeed. */
final class DatabaseInUseException extends StartException {
  private static final long serialVersionUID = 1L;

  /** One line that tells operators which server has it and what to do. */
  DatabaseInUseException(String what) {
    super(what, false, null);
  }
}
