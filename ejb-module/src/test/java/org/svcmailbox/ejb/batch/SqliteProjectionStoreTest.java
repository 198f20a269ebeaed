package org.svcmailbox.ejb.batch;

import org.junit.jupiter.api.extension.RegisterExtension;
import org.svcmailbox.ejb.store.TestDatabase;

class SqliteProjectionStoreTest implements JpaProjectionStoreContract {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.sqlite();

  @Override
  public TestDatabase database() {
    return DATABASE;
  }
}
