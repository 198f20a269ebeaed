package org.svcmailbox.ejb.sendlog;

import org.junit.jupiter.api.extension.RegisterExtension;
import org.svcmailbox.core.sendlog.SendLogStore;
import org.svcmailbox.core.sendlog.SendLogStoreContract;
import org.svcmailbox.ejb.store.TestDatabase;

class SqliteSendLogTest implements SendLogStoreContract {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.sqlite();

  private final SendLogStore store = new JpaSendLogStore(DATABASE.transactions());

  @Override
  public SendLogStore store() {
    return store;
  }

  @Override
  public void deleteTopic(int topicId) {
    DATABASE
        .transactions()
        .write(
            em -> {
              DeletedTopicEntity.mark(em, topicId);
              return true;
            });
  }
}
