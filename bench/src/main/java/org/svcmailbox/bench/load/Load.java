package org.svcmailbox.bench.load;

/**
 * A load as every contestant gets it.
 *
 * @param connections number of concurrent clients
 * @param batch messages in a request, or in a transaction where there are no requests
 * @param perSecond rate in messages a second; 0 for a closed loop
 */
public record Load(Work work, int connections, int batch, int perSecond) {
  /** Senders at a fixed rate: enough that one is free while the server is slow. */
  private static final int OPEN_LOOP = 64;

  public static Load closed(Work work, int connections, int batch) {
    return new Load(work, connections, batch, 0);
  }

  public static Load atRate(int perSecond) {
    return new Load(Work.RATE, OPEN_LOOP, 1, perSecond);
  }

  public String key() {
    return work == Work.RATE
        ? work.key() + "." + perSecond
        : work.key() + "." + connections + "." + batch;
  }

  public String title() {
    if (work == Work.RATE) {
      return "SEND, " + perSecond + " a second";
    }
    String messages = batch == 1 ? "one message" : batch + " messages";
    String clients = connections == 1 ? "1 connection" : connections + " connections";
    return work.title() + ", " + messages + " per request, " + clients;
  }
}
