package org.svcmailbox.ejb.pair;

import java.util.Set;

/** The broker's half of a pair's mark. Changes are on disk on return. */
public interface BrokerMark {
  /**
   * The ids of a broker.
   *
   * @param ids one, or none; two while one replaces the other
   * @param wasUsed whether a worker ever had a session with it
   */
  record Content(Set<PairId> ids, boolean wasUsed) {}

  /** Reads the ids; nothing is written. */
  Content read();

  /** Adds an id; one that is there is no error. */
  void add(PairId id);

  /** Removes an id; one that is missing is no error. */
  void remove(PairId id);
}
