package org.svcmailbox.ejb.store;

import org.junit.jupiter.api.extension.RegisterExtension;

class MemoryTransactionsTest implements TransactionsContract {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.memory();

  @Override
  public TestDatabase database() {
    return DATABASE;
  }
}
