package org.svcmailbox.ejb.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.svcmailbox.core.cluster.ClusterStore;
import org.svcmailbox.core.cluster.ClusterStoreContract;
import org.svcmailbox.ejb.store.TestDatabase;

/** Each rival of the contract has a connection of its own. */
class PostgresClusterStoreTest implements ClusterStoreContract {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.postgres();

  private final SqlClusterStore store = new SqlClusterStore(DATABASE.transactions());

  @BeforeEach
  void begin() {
    assertEquals(GROUPS, store.groups(GROUPS));
  }

  @Override
  public ClusterStore store() {
    return store;
  }

  @Test
  void theFirstStartSaysHowManyGroupsThereAre() {
    assertEquals(GROUPS, store.groups(GROUPS + 3));
  }
}
