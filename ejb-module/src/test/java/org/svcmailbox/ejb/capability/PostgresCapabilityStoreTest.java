package org.svcmailbox.ejb.capability;

import org.junit.jupiter.api.extension.RegisterExtension;
import org.svcmailbox.core.capability.store.CapabilityStore;
import org.svcmailbox.core.capability.store.CapabilityStoreContract;
import org.svcmailbox.ejb.store.TestDatabase;

class PostgresCapabilityStoreTest implements CapabilityStoreContract {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.postgres();

  private final CapabilityStore store = new JpaCapabilityStore(DATABASE.transactions());

  @Override
  public CapabilityStore store() {
    return store;
  }
}
