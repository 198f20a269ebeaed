package org.svcmailbox.grpc.server;

import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.svcmailbox.core.health.Part;
import org.svcmailbox.core.health.Vital;
import org.svcmailbox.core.metrics.Histogram;
import org.svcmailbox.core.metrics.Metric;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.core.settings.SettingsLoader;
import org.svcmailbox.proto.v1.MailboxGrpc;
import org.svcmailbox.proto.v1.MailboxGrpc.MailboxBlockingStub;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.net.TestCertificate;

/** A door on loopback, with a mailbox that a test sets. */
final class OpenDoor implements AutoCloseable {
  static final int MAX_FRAME = 300_000;

  final FakeMailbox mailbox = new FakeMailbox();
  final FakeStreams streams = new FakeStreams();
  final FakeCapabilities capabilities = new FakeCapabilities();
  final FakeSpans spans = new FakeSpans();
  final AtomicBoolean isUp = new AtomicBoolean(true);
  final GrpcDoor door;
  private final List<ManagedChannel> channels = new ArrayList<>();

  OpenDoor(Numbers numbers) {
    this(numbers, Optional.empty(), Map.of());
  }

  OpenDoor(Numbers numbers, Optional<TestCertificate> certificate, Map<String, String> settings) {
    door =
        new GrpcDoor(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            certificate.map(own -> new ServerKeys(own.keystore(), own.password())),
            services(settings),
            numbers,
            Executors.defaultThreadFactory());
    try {
      door.open();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  DoorServices services(Map<String, String> settings) {
    return new DoorServices(mailbox, streams, capabilities, this::vital, settings(settings), spans);
  }

  private static MailboxSettings settings(Map<String, String> more) {
    Map<String, String> all = new TreeMap<>(more);
    all.putIfAbsent("mailbox.max_frame", "" + MAX_FRAME);
    all.putIfAbsent("mailbox.drain_deadline", "1s");
    return SettingsLoader.load(key -> Optional.ofNullable(all.get(key)), Set.of(), 2);
  }

  private Vital vital(Part part) {
    return isUp.get() || part != Part.BROKER ? Vital.up(part) : Vital.down(part, "away");
  }

  InetSocketAddress address() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), door.port());
  }

  /** A connection of its own. */
  ManagedChannel channel() {
    ManagedChannel channel = NettyChannelBuilder.forAddress(address()).usePlaintext().build();
    channels.add(channel);
    return channel;
  }

  MailboxBlockingStub stub() {
    return stub(channel());
  }

  static MailboxBlockingStub stub(ManagedChannel channel) {
    return with(MailboxGrpc.newBlockingStub(channel), "authorization", "Bearer token");
  }

  static MailboxBlockingStub with(MailboxBlockingStub stub, String name, String value) {
    Metadata metadata = new Metadata();
    metadata.put(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER), value);
    return stub.withInterceptors(MetadataUtils.newAttachHeadersInterceptor(metadata));
  }

  /** Metrics that are not zero, by name and tags. */
  Map<String, Double> metrics() {
    Map<String, Double> read = new TreeMap<>();
    for (var source : door.metrics()) {
      for (Metric metric : source.metrics()) {
        if (metric.now() != 0) {
          read.put(metric.family().text() + metric.tags(), metric.now());
        }
      }
    }
    return read;
  }

  /** How many calls of a method were timed. */
  long timed(String method) {
    return door.metrics().stream()
        .flatMap(source -> source.distributions().stream())
        .filter(times -> times.tags().containsValue(method))
        .mapToLong(times -> ((Histogram) times).count())
        .sum();
  }

  double metric(String name) {
    return metrics().getOrDefault(name, 0.0);
  }

  /** Waits for a value: the server counts a call's end after its client has the answer. */
  void awaitMetric(double expected, String name) {
    Deadline.in(Duration.ofSeconds(20))
        .await(() -> metric(name) == expected, () -> name + " in " + metrics());
  }

  /** The code and message of a refused call. */
  static Status refused(Runnable call) {
    try {
      call.run();
    } catch (StatusRuntimeException e) {
      return e.getStatus();
    }
    throw new AssertionError("the call succeeded");
  }

  @Override
  public void close() {
    channels.forEach(ManagedChannel::shutdownNow);
    door.drain();
  }
}
