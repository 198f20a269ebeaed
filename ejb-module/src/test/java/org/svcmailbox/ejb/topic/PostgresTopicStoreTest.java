package org.svcmailbox.ejb.topic;

import org.junit.jupiter.api.extension.RegisterExtension;
import org.svcmailbox.core.batch.ProjectionStore;
import org.svcmailbox.core.topic.SharedTopicStoreContract;
import org.svcmailbox.core.topic.TopicStore;
import org.svcmailbox.core.topic.TopicStoreContract;
import org.svcmailbox.ejb.batch.JpaProjectionStore;
import org.svcmailbox.ejb.store.TestDatabase;

class PostgresTopicStoreTest implements TopicStoreContract, SharedTopicStoreContract {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.postgres();

  private final TopicStore store = new JpaTopicStore(DATABASE.transactions());
  private final ProjectionStore log = new JpaProjectionStore(DATABASE.transactions());

  @Override
  public TopicStore store() {
    return store;
  }

  @Override
  public ProjectionStore log() {
    return log;
  }
}
