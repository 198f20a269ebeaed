package org.svcmailbox.core.rendezvous.mailbox;

import java.net.InetAddress;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Amounts held by each client. A null client is not counted. Any thread. */
final class ShareTable {
  private final ConcurrentHashMap<InetAddress, Long> held = new ConcurrentHashMap<>();

  /**
   * Adds to a client's share; refuses only clients that hold some already and would exceed {@code
   * most}.
   */
  boolean tryAdd(@Nullable InetAddress client, long amount, long most) {
    if (client == null) {
      return true;
    }
    boolean[] isAdded = new boolean[1];
    held.compute(
        client,
        (address, had) -> {
          isAdded[0] = had == null || had + amount <= most;
          return isAdded[0] ? (had == null ? 0 : had) + amount : had;
        });
    return isAdded[0];
  }

  void remove(@Nullable InetAddress client, long amount) {
    if (client != null) {
      held.computeIfPresent(client, (address, had) -> had == amount ? null : had - amount);
    }
  }

  long of(@Nullable InetAddress client) {
    return client == null ? 0 : held.getOrDefault(client, 0L);
  }

  int clients() {
    return held.size();
  }
}
