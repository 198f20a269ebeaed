package org.svcmailbox.ejb.topic;

import org.junit.jupiter.api.extension.RegisterExtension;
import org.svcmailbox.core.sendlog.SendLogStore;
import org.svcmailbox.core.topic.TopicStore;
import org.svcmailbox.core.topic.TopicStoreContract;
import org.svcmailbox.ejb.sendlog.JpaSendLogStore;
import org.svcmailbox.ejb.store.TestDatabase;

class SqliteTopicStoreTest implements TopicStoreContract {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.sqlite();

  private final TopicStore store = new JpaTopicStore(DATABASE.transactions());
  private final SendLogStore log = new JpaSendLogStore(DATABASE.transactions());

  @Override
  public TopicStore store() {
    return store;
  }

  @Override
  public SendLogStore log() {
    return log;
  }
}
