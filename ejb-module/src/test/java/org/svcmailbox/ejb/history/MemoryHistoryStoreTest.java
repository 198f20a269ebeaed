package org.svcmailbox.ejb.history;

import org.junit.jupiter.api.extension.RegisterExtension;
import org.svcmailbox.core.history.HistoryStore;
import org.svcmailbox.core.history.HistoryStoreContract;
import org.svcmailbox.ejb.store.TestDatabase;

class MemoryHistoryStoreTest implements HistoryStoreContract {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.memory();

  private final HistoryStore store =
      new SqlHistoryStore(DATABASE.transactions(), () -> SqlHistoryStore.ALONE);

  @Override
  public HistoryStore store() {
    return store;
  }
}
