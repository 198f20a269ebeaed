package org.svcmailbox.ejb.rendezvous;

import org.junit.jupiter.api.extension.RegisterExtension;
import org.svcmailbox.ejb.store.TestDatabase;

class SqliteRendezvousStoreTest extends JpaRendezvousStoreContract {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.sqlite();

  @Override
  TestDatabase database() {
    return DATABASE;
  }
}
