package org.svcmailbox.ejb.store;

/** Another server has the database; a later start can succeed. */
final class DatabaseInUseException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  /** With who has it and what to do, in an operator's words and one line. */
  DatabaseInUseException(String what) {
    super(what);
  }
}
