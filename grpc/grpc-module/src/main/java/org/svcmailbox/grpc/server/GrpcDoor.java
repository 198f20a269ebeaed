package org.svcmailbox.grpc.server;

import io.grpc.Codec;
import io.grpc.CompressorRegistry;
import io.grpc.DecompressorRegistry;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.svcmailbox.core.capability.ClientAddress;
import org.svcmailbox.core.metrics.MetricSource;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.grpc.bound.CallBounds;
import org.svcmailbox.grpc.bound.CountedServerChannel;
import org.svcmailbox.grpc.bound.Methods;
import org.svcmailbox.grpc.bound.OpenConnections;
import org.svcmailbox.grpc.call.CallGate;
import org.svcmailbox.grpc.call.MailboxEndpoint;
import org.svcmailbox.grpc.call.SlowUploads;
import org.svcmailbox.grpc.refusal.Refusals;

/** The gRPC server, which serves the mailbox on a port of its own. */
public final class GrpcDoor {
  /**
   * Loggers that log a stack trace for each message that is too large, and for each stream that a
   * client resets while part of it is unsent. Referenced here, because a logger without references
   * loses its level.
   */
  private static final List<Logger> LOUD =
      Stream.of("NettyServerStream", "NettyServerHandler")
          .map(name -> Logger.getLogger("io.grpc.netty.shaded.io.grpc.netty." + name))
          .toList();

  static {
    LOUD.forEach(logger -> logger.setLevel(Level.OFF));
  }

  /** The interval between checks of health and of slow requests. */
  private static final Duration LOOK = Duration.ofMillis(500);

  private static final int RESETS = 1_000;
  private static final int RESETS_WITHIN_SECONDS = 10;

  private final DoorServices services;
  private final Numbers numbers;
  private final DoorThreads threads;
  private final OpenConnections connections;
  private final CallBounds bounds;
  private final Refusals refusals = new Refusals(Methods.endpoints());
  private final SlowUploads uploads;
  private final CallGate gate;
  private final DoorHealth health;
  private final Server server;

  /**
   * Prepares the server, which does not listen yet.
   *
   * @param keys empty for plain text
   * @param factory makes all threads
   */
  public GrpcDoor(
      InetSocketAddress address,
      Optional<ServerKeys> keys,
      DoorServices services,
      Numbers numbers,
      ThreadFactory factory) {
    MailboxSettings.Intake intake = services.settings().intake();
    this.services = services;
    this.numbers = numbers;
    this.connections =
        new OpenConnections(numbers.connections(), intake.perAddress(), intake::isProxy);
    this.bounds = new CallBounds(numbers.calls(), numbers.unreadBytes(), numbers.answerBytes());
    this.uploads = new SlowUploads(intake.readTimeout(), System::nanoTime);
    this.gate =
        new CallGate(
            services.capabilities(),
            new ClientAddress(intake.proxies()),
            uploads,
            refusals,
            services.spans());
    this.health = new DoorHealth(services.vitals());
    this.threads =
        new DoorThreads(
            factory,
            numbers.threads(),
            Math.multiplyExact(numbers.connections(), numbers.callsOfConnection()));
    this.server = server(address, keys);
  }

  private Server server(InetSocketAddress address, Optional<ServerKeys> keys) {
    NettyServerBuilder builder = NettyServerBuilder.forAddress(address);
    keys.ifPresent(own -> builder.sslContext(own.context()));
    withBounds(builder);
    withTimes(builder);
    return builder
        .executor(threads.calls())
        .bossEventLoopGroup(threads.loops())
        .workerEventLoopGroup(threads.loops())
        .channelFactory(() -> new CountedServerChannel(connections))
        .compressorRegistry(withoutCompression())
        .decompressorRegistry(DecompressorRegistry.emptyInstance().with(Codec.Identity.NONE, true))
        .addStreamTracerFactory(bounds)
        .intercept(gate)
        .addService(
            new MailboxEndpoint(
                services.mailbox(),
                services.streams(),
                services.settings(),
                refusals,
                threads.calls(),
                bounds))
        .addService(health.service())
        .addService(ProtoReflectionServiceV1.newInstance())
        .build();
  }

  private void withBounds(NettyServerBuilder builder) {
    builder
        .maxInboundMessageSize(services.settings().request().maxFrame() + Numbers.ALLOWANCE)
        .maxInboundMetadataSize(numbers.metadata())
        .maxConcurrentCallsPerConnection(numbers.callsOfConnection())
        .initialFlowControlWindow(numbers.window())
        .maxRstFramesPerWindow(RESETS, RESETS_WITHIN_SECONDS);
  }

  private void withTimes(NettyServerBuilder builder) {
    builder
        .keepAliveTime(numbers.ping().toMillis(), TimeUnit.MILLISECONDS)
        .keepAliveTimeout(numbers.pingTimeout().toMillis(), TimeUnit.MILLISECONDS)
        .permitKeepAliveTime(numbers.leastPing().toMillis(), TimeUnit.MILLISECONDS)
        .permitKeepAliveWithoutCalls(true)
        .maxConnectionAge(numbers.age().toMillis(), TimeUnit.MILLISECONDS)
        .maxConnectionAgeGrace(numbers.grace().toMillis(), TimeUnit.MILLISECONDS)
        .handshakeTimeout(
            services.settings().intake().readTimeout().toMillis(), TimeUnit.MILLISECONDS);
  }

  private static CompressorRegistry withoutCompression() {
    CompressorRegistry none = CompressorRegistry.newEmptyInstance();
    none.register(Codec.Identity.NONE);
    return none;
  }

  /**
   * Opens the server.
   *
   * @throws IOException if it cannot listen; all threads have then ended
   */
  public void open() throws IOException {
    try {
      server.start();
    } catch (IOException e) {
      endThreads();
      throw e;
    }
    ScheduledFuture<?> unused =
        threads
            .loops()
            .scheduleWithFixedDelay(this::look, 0, LOOK.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void look() {
    threads.calls().execute(health::look);
    uploads.sweep();
  }

  /** The port, once the server is open. */
  public int port() {
    return server.getPort();
  }

  public List<MetricSource> metrics() {
    return List.of(connections, bounds, refusals, threads.tasks());
  }

  /** Refuses new calls of the mailbox, and reports not serving as health. Returns at once. */
  public void stopIntake() {
    health.drain();
    gate.drain();
  }

  /** Waits for open calls until the drain's deadline, then ends everything. */
  public void drain() {
    stopIntake();
    server.shutdown();
    try {
      long millis = services.settings().drainDeadline().toMillis();
      if (!server.awaitTermination(millis, TimeUnit.MILLISECONDS)) {
        server.shutdownNow();
        server.awaitTermination(1, TimeUnit.SECONDS);
      }
    } catch (InterruptedException e) {
      server.shutdownNow();
      Thread.currentThread().interrupt();
    }
    endThreads();
  }

  private void endThreads() {
    try {
      threads.end();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
