package org.svcmailbox.core.rendezvous.mailbox;

import java.net.InetAddress;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The amounts that clients hold. A null client is not counted. Any thread. */
final class ShareTable {
  private final ConcurrentHashMap<InetAddress, Long> held = new ConcurrentHashMap<>();

  /**
   * Adds to a client's share. Refuses only a client that holds some already and would exceed {@code
   * most}.
   */
  boolean tryAdd(@Nullable InetAddress client, long amount, long most) {
    if (client == null) {
      return true;
    }
    Long had = held.putIfAbsent(client, amount);
    while (had != null && had + amount <= most && !held.replace(client, had, had + amount)) {
      had = held.putIfAbsent(client, amount);
    }
    return had == null || had + amount <= most;
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
