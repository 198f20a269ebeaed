package org.svcmailbox.client.http;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.ref.WeakReference;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A client of {@code java.net.http} that is replaced when its connections are suspect. A client
 * cannot be told to drop a connection, so a new client replaces it. The old client finishes its
 * requests; its connections and thread end when it is garbage-collected. Thread-safe.
 */
final class RenewableClient {
  private static final Logger LOG = System.getLogger(HttpMailbox.class.getName());

  /**
   * The most old clients that are not yet garbage-collected; at that number, the client is not
   * replaced.
   */
  static final int MAX_OLD = 16;

  private final Supplier<HttpClient> factory;
  private final LongSupplier nanoTime;
  private final List<WeakReference<HttpClient>> old = new ArrayList<>();
  private @Nullable HttpClient current;
  private long made;

  RenewableClient(Supplier<HttpClient> factory, LongSupplier nanoTime) {
    this.factory = factory;
    this.nanoTime = nanoTime;
    this.current = factory.get();
    this.made = nanoTime.getAsLong();
  }

  synchronized HttpClient current() {
    if (current == null) {
      throw new IllegalStateException("the connections are closed");
    }
    return current;
  }

  /** Closes all connections. No request may follow. */
  synchronized void close() {
    // Of java.net.http since Java 21. Before, the collector ends them.
    if ((Object) current instanceof AutoCloseable closeable) {
      try {
        closeable.close();
      } catch (Exception e) {
        LOG.log(Level.WARNING, "connections were not closed", e);
      }
    }
    current = null;
  }

  /**
   * Replaces the client, unless it is newer than a request without an answer for {@code
   * unanswered}. Half of that time allows for a request that created the client before using it.
   */
  synchronized void renew(Duration unanswered) {
    long now = nanoTime.getAsLong();
    old.removeIf(reference -> reference.get() == null);
    if (now - made >= unanswered.toNanos() / 2 && old.size() < MAX_OLD) {
      try {
        HttpClient next = factory.get();
        old.add(new WeakReference<>(current));
        current = next;
        made = now;
      } catch (RuntimeException | OutOfMemoryError e) {
        // No thread or file is left for a new client; keep the old one, which may have working
        // connections.
        LOG.log(Level.WARNING, "connections without an answer are not replaced", e);
      }
    }
  }
}
