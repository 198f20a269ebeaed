package org.svcmailbox.ejb.sendlog;

import org.junit.jupiter.api.extension.RegisterExtension;
import org.svcmailbox.ejb.store.TestDatabase;

class SqliteSendLogTest implements JpaSendLogStoreContract {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.sqlite();

  @Override
  public TestDatabase database() {
    return DATABASE;
  }
}
