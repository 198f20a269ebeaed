package org.svcmailbox.bench;

/**
 * One load that every contestant gets in its turn.
 *
 * @param connections how many clients there are at once
 * @param batch messages in a request, or in a transaction where there are no requests
 * @param perSecond messages a second; none for a closed loop
 */
record Load(Work work, int connections, int batch, int perSecond) {
  /** Senders at a fixed rate: enough that one is free when the server is slow for a while. */
  private static final int OPEN_LOOP = 64;

  static Load closed(Work work, int connections, int batch) {
    return new Load(work, connections, batch, 0);
  }

  static Load atRate(int perSecond) {
    return new Load(Work.RATE, OPEN_LOOP, 1, perSecond);
  }

  /** Its name among the figures. */
  String key() {
    return work == Work.RATE
        ? work.key() + "." + perSecond
        : work.key() + "." + connections + "." + batch;
  }

  /** Its name in tables. */
  String title() {
    if (work == Work.RATE) {
      return "SEND, " + perSecond + " a second";
    }
    String messages = batch == 1 ? "one message" : batch + " messages";
    String clients = connections == 1 ? "1 connection" : connections + " connections";
    return work.title() + ", " + messages + " per request, " + clients;
  }
}
