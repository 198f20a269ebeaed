package org.svcmailbox.client.http;

import static java.util.Objects.requireNonNull;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.service.CallRoom;
import org.svcmailbox.client.service.Users;
import org.svcmailbox.client.spi.MailboxThreads;

/**
 * The connections of one or more mailboxes. Limits concurrent requests. At most half of them can be
 * waiting receives, so waiting never delays a send or an acknowledgement. Extensions of a worker's
 * leases do not count against the limit. Thread-safe.
 *
 * <p>If more receives wait than places exist, they take turns of half a second, in order of
 * arrival, and the log says so once. A receive that had already run longer when turns began runs to
 * its end, but gives up its place. So {@link Builder#max} limits other requests and receives that
 * take turns, and at most half as many older receives run in addition.
 *
 * <p>When a request gets no answer in time, later requests use new connections, because the network
 * may have dropped the old ones.
 *
 * <p>Give mailboxes of one process the same instance, with {@link HttpMailbox.Builder#connections}:
 * each instance has its own threads and connections. They end with {@link #close}, or when no
 * mailbox refers to the instance.
 */
public final class HttpConnections implements AutoCloseable {
  /** The default number of concurrent requests. */
  public static final int DEFAULT_MAX = 32;

  private static final Logger LOG = System.getLogger(HttpMailbox.class.getName());
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

  private final RenewableClient client;
  private final ExecutorService threads = MailboxThreads.of("http");
  private final int max;
  private final CallRoom room;
  private final Users users = new Users();

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
    room = new CallRoom(max, this::warn);
  }

  /** Builds connections. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Makes a request on its own thread; the caller must hold a place in the room. Cancelling
   * interrupts the thread, which closes the request. {@code sendAsync} would complete in the common
   * pool, which an application may block.
   */
  Future<HttpResponse<byte[]>> send(HttpRequest request, BodyHandler<byte[]> body) {
    return threads.submit(() -> client.current().send(request, body));
  }

  /**
   * Reports a request without an answer for {@code unanswered}. Its connection may be dead without
   * a sign, for example dropped by a NAT. Further requests use new connections.
   */
  void suspect(Duration unanswered) {
    client.renew(unanswered);
  }

  /** The room for requests. */
  CallRoom room() {
    return room;
  }

  private void warn(Duration turn) {
    LOG.log(
        Level.WARNING,
        "more receives wait on one HttpConnections than it has places: they take turns of {0} ms."
            + " Give HttpConnections.Builder.max, now {1}, twice the number of mailboxes that"
            + " are received from at a time",
        turn.toMillis(),
        max);
  }

  /**
   * Registers a mailbox or a service, which closes with these connections.
   *
   * @throws IllegalStateException if they are closed
   */
  void attach(AutoCloseable user) {
    users.attach(user);
  }

  /**
   * Closes the mailboxes on these connections, and each {@link HttpService}, in parallel. Then ends
   * the threads and the connections; before Java 21, idle connections end when they are
   * garbage-collected. Takes no longer than the slowest mailbox.
   */
  @Override
  public void close() {
    if (users.close(threads)) {
      threads.shutdown();
      client.close();
    }
  }

  /** Makes every waiting thread check whether its wait was abandoned. */
  void wake() {
    room.wake();
  }

  /** Builds connections. */
  public static final class Builder {
    private Duration connectTimeout = CONNECT_TIMEOUT;
    private @Nullable SSLContext tls;
    private int max = DEFAULT_MAX;

    private Builder() {}

    /** How long opening a connection may take, positive; by default 5 s. */
    public Builder connectTimeout(Duration value) {
      connectTimeout = ServiceBuilder.positive("connectTimeout", value);
      return this;
    }

    /**
     * The trusted certificate authorities and the client's certificate; by default those of the
     * JVM.
     */
    public Builder tls(SSLContext value) {
      tls = requireNonNull(value, "tls");
      return this;
    }

    /** The most concurrent requests, at least 2; by default {@value #DEFAULT_MAX}. */
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
