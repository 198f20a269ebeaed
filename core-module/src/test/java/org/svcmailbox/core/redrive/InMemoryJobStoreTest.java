package org.svcmailbox.core.redrive;

class InMemoryJobStoreTest implements JobStoreContract {
  private final JobStore store = new InMemoryJobStore();

  @Override
  public JobStore store() {
    return store;
  }
}
