package org.svcmailbox.core.rendezvous;

import java.net.InetAddress;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * How much each client has of something. A client without any takes no memory, and may always take
 * one. A null client has no share, and is not counted. Any thread.
 */
final class ShareTable {
  private final ConcurrentHashMap<InetAddress, Long> held = new ConcurrentHashMap<>();

  /** Adds to a client's share, unless it has some already and would have more than {@code most}. */
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

  /** Clients that have any. */
  int clients() {
    return held.size();
  }
}
