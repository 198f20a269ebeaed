package org.svcmailbox.core.cluster;

class InMemoryClusterStoreTest implements ClusterStoreContract {
  private final ClusterStore store = new InMemoryClusterStore(GROUPS);

  @Override
  public ClusterStore store() {
    return store;
  }
}
