package org.svcmailbox.ejb.pair;

import java.util.Set;

/** The broker's half of a pair's mark. What is changed is on disk on return. */
public interface BrokerMark {
  /**
   * What it bears.
   *
   * @param ids one, or none; two while one replaces the other
   * @param wasUsed whether a worker ever had a session with it
   */
  record Content(Set<PairId> ids, boolean wasUsed) {}

  /** What it bears; nothing is written. */
  Content read();

  /** Adds an id; one that is there is no error. */
  void add(PairId id);

  /** Removes an id; one that is missing is no error. */
  void remove(PairId id);
}
