package org.svcmailbox.core.capability.store;

class InMemoryCapabilityStoreTest implements CapabilityStoreContract {
  private final InMemoryCapabilityStore store = new InMemoryCapabilityStore();

  @Override
  public CapabilityStore store() {
    return store;
  }
}
