package org.svcmailbox.ejb.batch;

import org.junit.jupiter.api.extension.RegisterExtension;
import org.svcmailbox.ejb.store.TestDatabase;

class PostgresHotPathTest implements HotPathContract {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.postgres();

  @Override
  public TestDatabase database() {
    return DATABASE;
  }
}
