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
 * The connections of one or more mailboxes. Bounds concurrent requests. At most half can be waiting
 * receives, so waiting never delays a send or an acknowledgement. The extensions of a worker's
 * leases wait for no room. Thread-safe.
 *
 * <p>Where more receives wait than have a place, they take turns of half a second, first come first
 * served, and the log says so once. A receive that was longer out when the first of them came keeps
 * its connection to its end, and lends its place. So {@link Builder#max} holds for other requests
 * and for receives in their turns, and at most half as many are out besides.
 *
 * <p>When a request has no answer in time, later ones use new connections: a network may have
 * forgotten the others.
 *
 * <p>Give mailboxes of one process the same instance, with {@link HttpMailbox.Builder#connections}:
 * each instance has threads and connections of its own. They end with {@link #close}, or when no
 * mailbox refers to it.
 */
public final class HttpConnections implements AutoCloseable {
  /** How many requests are out at once unless told otherwise. */
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
   * Makes a request, for which there must be room, on a thread of its own. Cancelling interrupts
   * it, which hangs up. {@code sendAsync} would complete in the common pool, and an application may
   * block that.
   */
  Future<HttpResponse<byte[]>> send(HttpRequest request, BodyHandler<byte[]> body) {
    return threads.submit(() -> client.current().send(request, body));
  }

  /**
   * A request has had no answer for so long. Its connection may be dead without a sign, as one that
   * a NAT has forgotten. Requests from now on use connections that are made later.
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
        "more receives wait over one HttpConnections than have a place: they take turns of {0} ms."
            + " Give HttpConnections.Builder.max, now {1}, twice the number of mailboxes that"
            + " are received from at a time",
        turn.toMillis(),
        max);
  }

  /**
   * A mailbox or a service ends with these connections.
   *
   * @throws IllegalStateException if they are closed
   */
  void attach(AutoCloseable user) {
    users.attach(user);
  }

  /**
   * Closes the mailboxes on these connections, and each {@link HttpService}, side by side. Then
   * ends the threads and the connections; before Java 21, idle ones end when the garbage collector
   * takes them. Takes no longer than the slowest of the mailboxes.
   */
  @Override
  public void close() {
    if (users.close(threads)) {
      threads.shutdown();
      client.close();
    }
  }

  /** Makes every waiting thread look whether its wait is abandoned. */
  void wake() {
    room.wake();
  }

  /** Builds connections. */
  public static final class Builder {
    private Duration connectTimeout = CONNECT_TIMEOUT;
    private @Nullable SSLContext tls;
    private int max = DEFAULT_MAX;

    private Builder() {}

    /** How long making a connection may take, positive; by default 5 s. */
    public Builder connectTimeout(Duration value) {
      connectTimeout = ServiceBuilder.positive("connectTimeout", value);
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
