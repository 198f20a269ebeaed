package org.svcmailbox.core.rendezvous;

import java.util.List;
import org.svcmailbox.core.audit.AuditEntry;

class InMemoryRendezvousStoreTest extends RendezvousStoreContract {
  @Override
  protected RendezvousStore open() {
    return new InMemoryRendezvousStore();
  }

  @Override
  protected RendezvousStore reopened(RendezvousStore store) {
    return store;
  }

  @Override
  protected List<AuditEntry> audit(RendezvousStore store) {
    return ((InMemoryRendezvousStore) store).audit();
  }
}
