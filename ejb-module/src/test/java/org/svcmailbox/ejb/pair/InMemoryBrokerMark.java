package org.svcmailbox.ejb.pair;

import java.util.HashSet;
import java.util.Set;

/** A broker of which only the mark matters. */
final class InMemoryBrokerMark implements BrokerMark {
  final Set<PairId> ids = new HashSet<>();
  boolean wasUsed;

  @Override
  public Content read() {
    return new Content(Set.copyOf(ids), wasUsed);
  }

  @Override
  public void add(PairId id) {
    ids.add(id);
  }

  @Override
  public void remove(PairId id) {
    ids.remove(id);
  }
}
