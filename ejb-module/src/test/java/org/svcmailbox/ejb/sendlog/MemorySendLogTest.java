package org.svcmailbox.ejb.sendlog;

import org.junit.jupiter.api.extension.RegisterExtension;
<<<<<<< HEAD
import org.svcmailbox.core.sendlog.SendLogStore;
import org.svcmailbox.core.sendlog.SendLogStoreContract;
=======
import org.svcmailbox.core.delivery.SendLog;
>>>>>>> one-commit
import org.svcmailbox.ejb.store.TestDatabase;

class MemorySendLogTest implements SendLogStoreContract {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.memory();

  private final SendLogStore store = new JpaSendLogStore(DATABASE.transactions());

  @Override
  public SendLogStore store() {
    return store;
  }
}
