package org.svcmailbox.ejb.batch;

import org.svcmailbox.core.batch.ProjectionStore;
import org.svcmailbox.core.batch.ProjectionStoreContract;
import org.svcmailbox.ejb.store.TestDatabase;

/** The contract on a database. */
interface JpaProjectionStoreContract extends ProjectionStoreContract {
  TestDatabase database();

  @Override
  default ProjectionStore store() {
    return new JpaProjectionStore(database().transactions());
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
