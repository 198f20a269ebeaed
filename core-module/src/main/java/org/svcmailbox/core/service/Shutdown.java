package org.svcmailbox.core.service;

/** The parts that drain when the process is told to end. Any thread. */
public interface Shutdown {
  void add(Drain drain);

  /** Forgets a part that ends by itself. */
  void remove(Drain drain);

  /** Has a node leave its cluster first: until then no part stops, and every call is served. */
  void leaveFirst(Departure departure);
}
