package org.svcmailbox.client.http;

import static java.util.Objects.requireNonNull;

import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.MailboxClock;
import org.svcmailbox.client.spi.MailboxThreads;

/**
 * The connections of one or more mailboxes. Bounds concurrent requests. At most half can be waiting
 * receives, so waiting never delays a send or an acknowledgement. The extensions of a worker's
 * leases wait for no room. Thread-safe.
 *
 * <p>When a request has no answer in time, later ones use new connections: a network may have
 * forgotten the others.
 *
 * <p>Give mailboxes of one process the same instance, with {@link HttpMailbox.Builder#connections}:
 * each instance has threads and connections of its own. They end when no mailbox refers to it.
 */
public final class HttpConnections {
  /** How many requests are out at once unless told otherwise. */
  public static final int DEFAULT_MAX = 32;

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

  private final RenewableClient client;
  private final ExecutorService threads = MailboxThreads.of("http");
  private final int max;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private int requests;
  private int polls;

  private HttpConnections(Builder from) {
    HttpClient.Builder http =
        HttpClient.newBuilder()
            .connectTimeout(from.connectTimeout)
            .followRedirects(HttpClient.Redirect.NEVER);
    if (from.tls != null) {
      http.sslContext(from.tls);
    }
    client = new RenewableClient(http::build, System::nanoTime);
    max = from.max;
  }

  /** Connections in the making. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Makes a request, for which there must be room, on a thread of its own. Cancelling interrupts
   * it, which hangs up. {@code sendAsync} would complete in the common pool, and an application may
   * block that.
   */
  Future<HttpResponse<byte[]>> send(HttpRequest request) {
    return threads.submit(
        () -> client.current().send(request, info -> new BoundedBody(BoundedBody.MAX)));
  }

  /**
   * A request has had no answer for so long. Its connection may be dead without a sign, as one that
   * a NAT has forgotten. Requests from now on use connections that are made later.
   */
  void suspect(Duration unanswered) {
    client.renew(unanswered);
  }

  /**
   * Waits for room for one request.
   *
   * @param isPoll whether it is a receive that waits
   * @param abandoned ends the wait, looked at after each {@link #wake}
   * @return false if there was none until {@code deadline}, or the wait was abandoned
   */
  boolean acquire(boolean isPoll, MailboxClock clock, long deadline, BooleanSupplier abandoned)
      throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (!abandoned.getAsBoolean() && isFull(isPoll) && !clock.isPast(deadline)) {
        clock.await(lock, changed, deadline);
      }
      if (abandoned.getAsBoolean() || isFull(isPoll)) {
        return false;
      }
      requests++;
      polls += isPoll ? 1 : 0;
      return true;
    } finally {
      lock.unlock();
    }
  }

  private boolean isFull(boolean isPoll) {
    return requests == max || (isPoll && polls == max / 2);
  }

  void release(boolean isPoll) {
    lock.lock();
    try {
      requests--;
      polls -= isPoll ? 1 : 0;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Makes every waiting thread look whether its wait is abandoned. */
  void wake() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Connections in the making. */
  public static final class Builder {
    private Duration connectTimeout = CONNECT_TIMEOUT;
    private @Nullable SSLContext tls;
    private int max = DEFAULT_MAX;

    private Builder() {}

    /** How long making a connection may take, positive; by default 5 s. */
    public Builder connectTimeout(Duration value) {
      connectTimeout = HttpMailbox.positive("connectTimeout", value);
      return this;
    }

    /** The authorities to trust, and the client's certificate; by default those of the JVM. */
    public Builder tls(SSLContext value) {
      tls = requireNonNull(value, "tls");
      return this;
    }

    /** How many requests are out at once, at least 2; by default {@value #DEFAULT_MAX}. */
    public Builder max(int requests) {
      if (requests < 2) {
        throw new IllegalArgumentException("max must be at least 2, not " + requests);
      }
      max = requests;
      return this;
    }

    /** The connections, none of them open yet. */
    public HttpConnections build() {
      return new HttpConnections(this);
    }
  }
}
