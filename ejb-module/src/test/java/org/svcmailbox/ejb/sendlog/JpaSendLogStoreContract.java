package org.svcmailbox.ejb.sendlog;

import org.svcmailbox.core.sendlog.SendLogStore;
import org.svcmailbox.core.sendlog.SendLogStoreContract;
import org.svcmailbox.ejb.store.TestDatabase;

/** The contract on a database. */
interface JpaSendLogStoreContract extends SendLogStoreContract {
  TestDatabase database();

  @Override
  default SendLogStore store() {
    return new JpaSendLogStore(database().transactions());
  }

  @Override
  default void deleteTopic(int topicId) {
    database()
        .transactions()
        .write(
            em -> {
              DeletedTopicEntity.mark(em, topicId);
              return true;
            });
  }
}
