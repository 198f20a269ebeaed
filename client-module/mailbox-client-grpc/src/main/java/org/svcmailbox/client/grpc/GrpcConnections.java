package org.svcmailbox.client.grpc;

import static java.util.Objects.requireNonNull;

import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.ChannelOption;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.nio.NioEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioSocketChannel;
import io.grpc.netty.shaded.io.netty.util.concurrent.DefaultThreadFactory;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.http.ServiceUri;
import org.svcmailbox.client.service.CallRoom;
import org.svcmailbox.client.service.Users;
import org.svcmailbox.client.spi.MailboxThreads;

/**
 * One channel to the gRPC door of a service, for one or more mailboxes. Limits concurrent requests.
 * At most half of them can be waiting receives, so waiting never delays a send or an
 * acknowledgement. The stream of each mailbox does not count against the limit. Thread-safe.
 *
 * <p>Ends with {@link #close}, which closes its mailboxes first.
 */
public final class GrpcConnections implements AutoCloseable {
  /** The default number of concurrent requests. */
  public static final int DEFAULT_MAX = 32;

  /** The most bytes of an answer: a RECV has up to 8 MiB of payload, plus attributes. */
  private static final int MAX_ANSWER = 64 << 20;

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

  /** A silent connection is pinged after this time; the service allows 10 s. */
  private static final Duration KEEPALIVE = Duration.ofSeconds(15);

  private static final Duration KEEPALIVE_TIMEOUT = Duration.ofSeconds(10);

  /** The least time between two attempts to connect. */
  private static final Duration BETWEEN_ATTEMPTS = Duration.ofMillis(500);

  private static final int TLS_PORT = 443;
  private static final int PLAIN_PORT = 80;

  private static final Logger LOG = System.getLogger(GrpcMailbox.class.getName());

  private final URI service;
  private final int max;
  private final CallRoom room;
  private final Users users = new Users();
  private final ExecutorService threads = MailboxThreads.of("grpc");
  private final EventLoopGroup loop =
      new NioEventLoopGroup(1, new DefaultThreadFactory("mailbox-grpc-io", true));
  private final ManagedChannel channel;
  private final AtomicLong lastAttempt = new AtomicLong(System.nanoTime());

  private GrpcConnections(Builder from) {
    service = from.service;
    max = from.max;
    room = new CallRoom(max, this::warn);
    channel = channel(from);
  }

  /**
   * Builds connections.
   *
   * @param service the gRPC door, such as {@code https://mailbox.example.com:9555}; {@code http} is
   *     HTTP/2 without TLS
   * @throws IllegalArgumentException if the URI is not the address of a service
   */
  public static Builder builder(URI service) {
    return new Builder(service);
  }

  private ManagedChannel channel(Builder from) {
    boolean isTls = service.getScheme().equals("https");
    int port = service.getPort() >= 0 ? service.getPort() : isTls ? TLS_PORT : PLAIN_PORT;
    NettyChannelBuilder builder =
        NettyChannelBuilder.forAddress(service.getHost(), port)
            .channelType(NioSocketChannel.class)
            .eventLoopGroup(loop)
            .withOption(
                ChannelOption.CONNECT_TIMEOUT_MILLIS, Math.toIntExact(CONNECT_TIMEOUT.toMillis()))
            .executor(threads)
            .disableRetry()
            .maxInboundMessageSize(MAX_ANSWER)
            .keepAliveTime(from.keepalive.toNanos(), TimeUnit.NANOSECONDS)
            .keepAliveTimeout(from.keepaliveTimeout.toNanos(), TimeUnit.NANOSECONDS);
    return isTls
        ? builder.sslContext(TlsContexts.of(from.tls())).build()
        : builder.usePlaintext().build();
  }

  URI service() {
    return service;
  }

  ManagedChannel channel() {
    return channel;
  }

  /** The room for requests. */
  CallRoom room() {
    return room;
  }

  /** Makes every waiting thread check whether its wait was abandoned. */
  void wake() {
    room.wake();
  }

  /**
   * Reports an unanswered call, whose connection may be dead without a sign. Further calls use a
   * new connection; running calls keep theirs.
   */
  void suspect() {
    channel.enterIdle();
  }

  /**
   * Reports a call without an answer of the service. If the channel has no connection, it tries
   * again now, at most twice a second. By itself it would wait up to two minutes after a long
   * outage; the callers' own pauses end after five seconds.
   */
  void unanswered() {
    long last = lastAttempt.get();
    long now = System.nanoTime();
    if (now - last >= BETWEEN_ATTEMPTS.toNanos() && lastAttempt.compareAndSet(last, now)) {
      channel.resetConnectBackoff();
    }
  }

  /**
   * Closes a mailbox together with these connections.
   *
   * @throws IllegalStateException if they are closed
   */
  void attach(AutoCloseable user) {
    users.attach(user);
  }

  private void warn(Duration turn) {
    LOG.log(
        Level.WARNING,
        "more receives wait on one GrpcConnections than it has places: they take turns of {0} ms."
            + " Give GrpcConnections.Builder.max, now {1}, twice the number of mailboxes that"
            + " are polled at a time",
        turn.toMillis(),
        max);
  }

  /** Closes the mailboxes concurrently, then the channel and its threads. */
  @Override
  public void close() {
    if (users.close(threads)) {
      channel.shutdownNow();
      var unused = loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
      threads.shutdown();
    }
  }

  /** Builds connections. */
  public static final class Builder {
    private final URI service;
    private @Nullable SSLContext tls;
    private boolean plainHttp;
    private int max = DEFAULT_MAX;
    private Duration keepalive = KEEPALIVE;
    private Duration keepaliveTimeout = KEEPALIVE_TIMEOUT;

    private Builder(URI service) {
      URI base = ServiceUri.base(service);
      if (!base.getRawPath().isEmpty()) {
        throw new IllegalArgumentException("the URI of a gRPC door has no path");
      }
      this.service = base;
    }

    /**
     * The trusted certificate authorities and the client's certificate; by default those of the
     * JVM.
     */
    public Builder tls(SSLContext value) {
      tls = requireNonNull(value, "tls");
      return this;
    }

    /**
     * Allows plain {@code http} to another machine, although anyone on the network path can read
     * the token.
     */
    public Builder allowPlainHttp() {
      plainHttp = true;
      return this;
    }

    /**
     * The most concurrent requests, at least 2; by default {@value #DEFAULT_MAX}. The service
     * accepts 128 calls on a connection, including streams.
     */
    public Builder max(int requests) {
      if (requests < 2) {
        throw new IllegalArgumentException("max must be at least 2, not " + requests);
      }
      max = requests;
      return this;
    }

    /**
     * When to ping a silent connection, and how long its answer may take.
     *
     * @param after at least 10 s, which the service allows; by default 15 s
     * @param timeout positive; by default 10 s
     */
    public Builder keepalive(Duration after, Duration timeout) {
      if (after.compareTo(Duration.ofSeconds(10)) < 0 || timeout.isZero() || timeout.isNegative()) {
        throw new IllegalArgumentException("a keepalive is after 10 s or more, with a timeout");
      }
      keepalive = after;
      keepaliveTimeout = timeout;
      return this;
    }

    private SSLContext tls() {
      try {
        return tls != null ? tls : SSLContext.getDefault();
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException("the JVM has no TLS", e);
      }
    }

    /**
     * The connections, none of them open yet.
     *
     * @throws IllegalArgumentException if the service has a plain HTTP address without {@link
     *     #allowPlainHttp}
     */
    public GrpcConnections build() {
      if (!plainHttp) {
        ServiceUri.requirePrivate(service);
      }
      return new GrpcConnections(this);
    }
  }
}
