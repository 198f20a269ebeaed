package org.svcmailbox.ejb.rendezvous;

import org.junit.jupiter.api.extension.RegisterExtension;
import org.svcmailbox.ejb.store.TestDatabase;

class PostgresRendezvousStoreTest extends JpaRendezvousStoreContract {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.postgres();

  @Override
  TestDatabase database() {
    return DATABASE;
  }
}
