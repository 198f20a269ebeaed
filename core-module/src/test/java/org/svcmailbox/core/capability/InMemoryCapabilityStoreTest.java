package org.svcmailbox.core.capability;

import java.util.List;
import org.svcmailbox.core.audit.AuditEntry;

class InMemoryCapabilityStoreTest implements CapabilityStoreContract {
  private final InMemoryCapabilityStore store = new InMemoryCapabilityStore();

  @Override
  public CapabilityStore store() {
    return store;
  }

  @Override
  public List<AuditEntry> audit() {
    return store.audit();
  }
}
