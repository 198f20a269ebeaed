package org.svcmailbox.core.capability;

class InMemoryCapabilityStoreTest implements CapabilityStoreContract {
  private final InMemoryCapabilityStore store = new InMemoryCapabilityStore();

  @Override
  public CapabilityStore store() {
    return store;
  }
}
