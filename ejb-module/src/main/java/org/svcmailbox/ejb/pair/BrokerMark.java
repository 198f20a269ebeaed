package org.svcmailbox.ejb.pair;

import java.util.Set;

/** The broker's half of a pair's mark. Changes are on disk on return. */
public interface BrokerMark {
  /**
   * The pair ids of a broker.
   *
   * @param ids one or none; two while one replaces the other
   * @param wasUsed whether a worker's log was ever made in it
   */
  record Content(Set<PairId> ids, boolean wasUsed) {}

  /** Reads the ids and writes nothing. */
  Content read();

  /** Adds an id; no error if it is there. */
  void add(PairId id);

  /** Removes an id; no error if it is missing. */
  void remove(PairId id);
}
