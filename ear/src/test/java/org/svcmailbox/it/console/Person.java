package org.svcmailbox.it.console;

/** Who signs in. */
record Person(String user, String password) {
  static final Person OPERATOR = new Person("olga", "operator-secret-1");
  static final Person VIEWER = new Person("victor", "viewer-secret-1");

  /** Without the password. */
  @Override
  public String toString() {
    return user;
  }
}
