package org.svcmailbox.ejb.batch;

import org.junit.jupiter.api.extension.RegisterExtension;
import org.svcmailbox.ejb.store.TestDatabase;

class SqliteHotPathTest implements HotPathContract {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.sqlite();

  @Override
  public TestDatabase database() {
    return DATABASE;
  }
}
