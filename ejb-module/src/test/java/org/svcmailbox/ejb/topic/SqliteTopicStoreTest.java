package org.svcmailbox.ejb.topic;

import java.time.InstantSource;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.svcmailbox.core.delivery.SendLog;
import org.svcmailbox.core.topic.TopicStore;
import org.svcmailbox.core.topic.TopicStoreContract;
import org.svcmailbox.ejb.sendlog.JpaSendLog;
import org.svcmailbox.ejb.store.TestDatabase;

class SqliteTopicStoreTest implements TopicStoreContract {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.sqlite();

  private final TopicStore store = new JpaTopicStore(DATABASE.transactions());
  private final SendLog log =
      new JpaSendLog(DATABASE.transactions(), InstantSource.fixed(SendLogContract.NOW));

  @Override
  public TopicStore store() {
    return store;
  }

  @Override
  public SendLog log() {
    return log;
  }
}
