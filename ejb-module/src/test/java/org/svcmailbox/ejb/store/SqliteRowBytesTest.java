package org.svcmailbox.ejb.store;

import org.junit.jupiter.api.extension.RegisterExtension;

class SqliteRowBytesTest implements RowBytesContract {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.sqlite();

  @Override
  public TestDatabase database() {
    return DATABASE;
  }

  @Override
  public Database kind() {
    return Database.SQLITE;
  }

  @Override
  public String size() {
    return "select sum(pgsize) from dbstat where name = 'ledger_page'";
  }
}
