package org.svcmailbox.ejb.pair;

import org.junit.jupiter.api.extension.RegisterExtension;
import org.svcmailbox.ejb.store.TestDatabase;

class SqlitePairTest implements PairContract {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.sqlite();

  private final InMemoryBrokerMark broker = new InMemoryBrokerMark();

  @Override
  public TestDatabase database() {
    return DATABASE;
  }

  @Override
  public InMemoryBrokerMark broker() {
    return broker;
  }
}
