package org.svcmailbox.ejb.batch;

import org.junit.jupiter.api.extension.RegisterExtension;
import org.svcmailbox.ejb.store.TestDatabase;

class MemoryProjectionStoreTest implements JpaProjectionStoreContract {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.memory();

  @Override
  public TestDatabase database() {
    return DATABASE;
  }
}
