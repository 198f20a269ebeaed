package org.svcmailbox.client.service;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** The users of shared connections that have not been collected, some of them closed. */
public final class Users {
  private static final Logger LOG = System.getLogger(Users.class.getName());

  private final Set<AutoCloseable> users = Collections.newSetFromMap(new WeakHashMap<>());
  private boolean isClosed;

  /**
   * A user ends with the connections.
   *
   * @throws IllegalStateException if they are closed
   */
  public synchronized void attach(AutoCloseable user) {
    if (isClosed) {
      throw new IllegalStateException("the connections are closed");
    }
    users.add(user);
  }

  /**
   * Closes the users side by side, and returns once the slowest is closed.
   *
   * @param threads close them
   * @return false if the connections were closed before; then it does nothing
   */
  public boolean close(Executor threads) {
    List<AutoCloseable> open;
    synchronized (this) {
      if (isClosed) {
        return false;
      }
      isClosed = true;
      open = List.copyOf(users);
    }
    CompletableFuture.allOf(
            open.stream()
                .map(user -> CompletableFuture.runAsync(() -> end(user), threads))
                .toArray(CompletableFuture[]::new))
        .join();
    return true;
  }

  private static void end(AutoCloseable user) {
    try {
      user.close();
    } catch (Exception e) {
      LOG.log(Level.WARNING, "a mailbox was not closed", e);
    }
  }
}
